#include "mpi/rma/rma.h"

__attribute__((noinline)) static int fetch_and_op(const void *origin_addr, void *result_addr,
                                                  MPI_Datatype datatype, int target_rank,
                                                  MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    ENTER("MPI_Fetch_and_op", origin_addr, result_addr, datatype, target_rank, target_disp, op,
          win);
    struct adi3_win *w;
    struct adi3_rma x = {
        .kind = ADI3_GET_ACCUMULATE, .target = target_rank, .disp = target_disp, .count = 1
    };

    TRY(mpir_win_arg(&call, win, &w));
    if (op != MPI_NO_OP)
        TRY(mpir_element_arg(origin_addr, datatype, &x.origin));
    TRY(mpir_element_arg(result_addr, datatype, &x.result));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    x.type = x.result.type;
    TRY(mpir_rma_op_arg(&x, op));
    TRY(mpir_rma(w, &x, NULL));
    return mpir_leave(&call);
}

/* Does what MPI_Get_accumulate does, with one element of a predefined type (§11.3.4). With
 * MPI_NO_OP origin_addr is ignored.
 * Errors: as MPI_Get_accumulate. */
int PMPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype,
                      int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    struct adi3_win *w = mpir_quick_win(MPIR_NAME("MPI_Fetch_and_op"), win);
    struct adi3_rma_element e = { .origin = origin_addr, .result = result_addr };

    if (w && result_addr && result_addr != MPI_IN_PLACE && op != MPI_OP_NULL
        && mpir_quick_element(w, target_rank, target_disp, datatype, op, &e))
        return mpir_leave_quickly();
    return fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
}
MPIR_WEAK(Fetch_and_op);
