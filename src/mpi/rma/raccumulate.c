#include "mpi/rma/rma.h"

/* Does what MPI_Accumulate does; request completes when the buffer may be used again, perhaps
 * before the data has been combined (§11.3.5). Only in an epoch of MPI_Win_lock or
 * MPI_Win_lock_all.
 * Errors: as MPI_Accumulate, and MPI_ERR_ARG. */
int PMPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                     int target_rank, MPI_Aint target_disp, int target_count,
                     MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    ENTER("MPI_Raccumulate", origin_addr, origin_count, origin_datatype, target_rank, target_disp,
          target_count, target_datatype, op, win, request);
    struct adi3_win *w;
    struct adi3_rma x = { .kind = ADI3_ACCUMULATE, .target = target_rank, .disp = target_disp };

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_data_arg(origin_addr, origin_count, origin_datatype, &x.origin));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    TRY(mpir_target_data_arg(&x, target_count, target_datatype));
    TRY(mpir_rma_op_arg(&x, op));
    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_rma(w, &x, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Raccumulate);
