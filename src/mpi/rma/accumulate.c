#include "mpi/rma/rma.h"

__attribute__((noinline)) static int
accumulate_slow_path(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                     int target_rank, MPI_Aint target_disp, int target_count,
                     MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    ENTER("MPI_Accumulate", origin_addr, origin_count, origin_datatype, target_rank, target_disp,
          target_count, target_datatype, op, win);
    struct adi3_win *w;
    struct adi3_rma x = { .kind = ADI3_ACCUMULATE, .target = target_rank, .disp = target_disp };

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_data_arg(origin_addr, origin_count, origin_datatype, &x.origin));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    TRY(mpir_target_data_arg(&x, target_count, target_datatype));
    TRY(mpir_rma_op_arg(&x, op));
    TRY(mpir_rma(w, &x, NULL));
    return mpir_leave(&call);
}

/* Combines elements with those in the window of a process by a predefined operation, or replaces
 * them with MPI_REPLACE (§11.3.4). Each basic element is one atomic operation among all such
 * calls, and those of one process to one place are done in their order. Both datatypes consist of
 * elements of one predefined type, which is the same in both. Complete when the epoch ends or at a
 * flush; until then the buffer must not change. Nothing is done for target_rank MPI_PROC_NULL.
 * Errors: as MPI_Put, and MPI_ERR_OP, also for operations of the user and for MPI_NO_OP. */
int PMPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
                    int target_rank, MPI_Aint target_disp, int target_count,
                    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct adi3_win *w = mpir_quick_win(MPIR_NAME("MPI_Accumulate"), win);
    struct adi3_rma_element e = { .origin = origin_addr };

    if (w && origin_count == 1 && target_count == 1 && origin_datatype == target_datatype
        && op != MPI_NO_OP && op != MPI_OP_NULL
        && mpir_quick_element(w, target_rank, target_disp, origin_datatype, op, &e))
        return mpir_leave_quickly();
    return accumulate_slow_path(origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype, op, win);
}
MPIR_WEAK(Accumulate);
