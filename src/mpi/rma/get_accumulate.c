#include "mpi/rma/rma.h"

/* Does what MPI_Accumulate does, and returns the elements as they were before in the result
 * buffer; with MPI_NO_OP it only returns them, and the origin's arguments are ignored (§11.3.4).
 * The result is there when the epoch ends or at a flush; the two buffers must not overlap.
 * Errors: as MPI_Accumulate, but MPI_NO_OP is none. */
int PMPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                        void *result_addr, int result_count, MPI_Datatype result_datatype,
                        int target_rank, MPI_Aint target_disp, int target_count,
                        MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    ENTER("MPI_Get_accumulate", origin_addr, origin_count, origin_datatype, result_addr,
          result_count, result_datatype, target_rank, target_disp, target_count, target_datatype,
          op, win);
    struct adi3_win *w;
    struct adi3_rma x = { .kind = ADI3_GET_ACCUMULATE, .target = target_rank, .disp = target_disp };

    TRY(mpir_win_arg(&call, win, &w));
    if (op != MPI_NO_OP)
        TRY(mpir_data_arg(origin_addr, origin_count, origin_datatype, &x.origin));
    TRY(mpir_data_arg(result_addr, result_count, result_datatype, &x.result));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    TRY(mpir_target_data_arg(&x, target_count, target_datatype));
    TRY(mpir_rma_op_arg(&x, op));
    TRY(mpir_rma(w, &x, NULL));
    return mpir_leave(&call);
}
MPIR_WEAK(Get_accumulate);
