#include "mpi/rma/rma.h"

__attribute__((noinline)) static int put_slow_path(const void *origin_addr, int origin_count,
                                                   MPI_Datatype origin_datatype, int target_rank,
                                                   MPI_Aint target_disp, int target_count,
                                                   MPI_Datatype target_datatype, MPI_Win win)
{
    const struct mpir_reached what = { .win = win, .target = target_rank, .type = origin_datatype };
    size_t len;
    char *at;

    if (origin_count == target_count && origin_datatype == target_datatype
        && (at = mpir_reach_first(MPIR_NAME("MPI_Put"), &what, origin_addr, origin_count,
                                  target_disp, &len))) {
        mpir_rma_copy(at, origin_addr, len);
        return mpir_leave_quickly();
    }
    ENTER("MPI_Put", origin_addr, origin_count, origin_datatype, target_rank, target_disp,
          target_count, target_datatype, win);
    struct adi3_win *w;
    struct adi3_rma x = { .kind = ADI3_PUT, .target = target_rank, .disp = target_disp };

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_data_arg(origin_addr, origin_count, origin_datatype, &x.origin));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    TRY(mpir_target_data_arg(&x, target_count, target_datatype));
    TRY(mpir_fit_arg(&x));
    TRY(mpir_rma(w, &x, NULL));
    return mpir_leave(&call);
}

/* Writes elements to the window of a process, at target_disp in the displacement units of that
 * process (§11.3.1). Complete when the epoch ends or at a flush; until then the buffer must not
 * change. The target's data may be larger than the origin's. Nothing is done for target_rank
 * MPI_PROC_NULL.
 * Errors: MPI_ERR_WIN, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_RANK, MPI_ERR_DISP,
 * MPI_ERR_RMA_SYNC, MPI_ERR_RMA_RANGE, MPI_ERR_NO_MEM. */
int PMPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
             MPI_Win win)
{
    MPIR_SAVE(origin_addr);
    MPIR_SAVE(origin_count);
    MPIR_SAVE(origin_datatype);
    MPIR_SAVE(target_rank);
    MPIR_SAVE(target_disp);
    MPIR_SAVE(target_count);
    size_t len;
    char *at;

    if (mpir_enter_quickly(MPIR_NAME("MPI_Put")) && mpir_is_buffer(origin_addr)
        && origin_count == target_count && origin_datatype == target_datatype
        && (at = mpir_reach(win, target_rank, origin_datatype, origin_count, target_disp, &len))) {
        mpir_rma_copy(at, origin_addr, len);
        return mpir_leave_quickly();
    }
    return put_slow_path(origin_addr_saved, origin_count_saved, origin_datatype_saved,
                         target_rank_saved, target_disp_saved, target_count_saved, target_datatype,
                         win);
}
MPIR_WEAK(Put);
