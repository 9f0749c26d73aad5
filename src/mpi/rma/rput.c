#include "mpi/rma/rma.h"

__attribute__((noinline)) static int rput_slow_path(const void *origin_addr, int origin_count,
                                                    MPI_Datatype origin_datatype, int target_rank,
                                                    MPI_Aint target_disp, int target_count,
                                                    MPI_Datatype target_datatype, MPI_Win win,
                                                    MPI_Request *request)
{
    ENTER("MPI_Rput", origin_addr, origin_count, origin_datatype, target_rank, target_disp,
          target_count, target_datatype, win, request);
    struct adi3_win *w;
    struct adi3_rma x = { .kind = ADI3_PUT, .target = target_rank, .disp = target_disp };

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_data_arg(origin_addr, origin_count, origin_datatype, &x.origin));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    TRY(mpir_target_data_arg(&x, target_count, target_datatype));
    TRY(mpir_fit_arg(&x));
    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_rma(w, &x, request));
    return mpir_leave(&call);
}

/* Does what MPI_Put does; request completes when the buffer may be used again, perhaps before the
 * data has arrived (§11.3.5). Only in an epoch of MPI_Win_lock or MPI_Win_lock_all.
 * Errors: as MPI_Put, and MPI_ERR_ARG. */
int PMPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype,
              MPI_Win win, MPI_Request *request)
{
    MPIR_SAVE(origin_addr);
    MPIR_SAVE(origin_count);
    MPIR_SAVE(origin_datatype);
    MPIR_SAVE(target_rank);
    MPIR_SAVE(target_disp);
    MPIR_SAVE(target_count);
    struct adi3_win *w = mpir_quick_win(MPIR_NAME("MPI_Rput"), win);
    size_t len;
    char *at;

    if (w && request && (w->access == ADI3_EPOCH_LOCK || w->access == ADI3_EPOCH_ALL)
        && origin_count == target_count && origin_datatype == target_datatype
        && mpir_quick_data(origin_addr, origin_count, origin_datatype, &len)
        && (at = adi3_rma_direct(w, target_rank, target_disp, len))) {
        mpir_rma_copy(at, origin_addr, len);
        *request = ADI3_REQUEST_COMPLETE;
        return mpir_leave_quickly();
    }
    return rput_slow_path(origin_addr_saved, origin_count_saved, origin_datatype_saved,
                          target_rank_saved, target_disp_saved, target_count_saved, target_datatype,
                          win, request);
}
MPIR_WEAK(Rput);
