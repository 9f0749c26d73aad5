/* fence.c — what MPI_Win_fence does before and after its barrier. */
#include "adi3/rma/epoch/epoch_impl.h"

static int fence_error(const struct adi3_win *w)
{
    const char *open = w->access == ADI3_EPOCH_START  ? "MPI_Win_start without MPI_Win_complete"
                       : w->access == ADI3_EPOCH_LOCK ? "MPI_Win_lock without MPI_Win_unlock"
                       : w->access == ADI3_EPOCH_ALL ? "MPI_Win_lock_all without MPI_Win_unlock_all"
                                                     : "MPI_Win_post without MPI_Win_wait";

    char title[RMA_TITLE];
    return adi3_error(MPI_ERR_RMA_SYNC, "%s: a fence within another epoch: there was %s",
                      rma_title(w, -1, title), open);
}

int adi3_win_fence_begin(struct adi3_win *w)
{
    struct rma_target *t;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (w->access > ADI3_EPOCH_FENCE || w->exposure != ADI3_EPOCH_NONE)
        return fence_error(w);
    for (int rank = 0; (t = rma_next_target(w, &rank));)
        if (t->path == RMA_MESSAGES)
            (void) rma_ask_flush(w, t);
    for (int rank = 0; (t = rma_next_target(w, &rank));) {
        rma_forget_accesses(t);
        int bad = t->path == RMA_MESSAGES ? rma_flush(w, t) : rma_batch_run(w, t);
        if (!err)
            err = bad;
    }
    atomic_thread_fence(memory_order_seq_cst);
    return err;
}

void adi3_win_fence_end(struct adi3_win *w, int assertions)
{
    assert(adi3_lock_held());
    w->access = assertions & MPI_MODE_NOSUCCEED ? ADI3_EPOCH_NONE : ADI3_EPOCH_FENCE;
    w->fence_used = false;
}
