/* epoch.c — whether an operation is allowed now. */
#include "adi3/rma/epoch/epoch_impl.h"

static int access_denied_error(const struct adi3_win *w, const struct rma_target *t,
                               const char *why)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_RMA_SYNC, "no access to %s now: %s", rma_title(w, t->rank, title),
                      why);
}

static int access_refuse(const struct adi3_win *w, const struct rma_target *t)
{
    switch ((enum adi3_epoch) w->access) {
    case ADI3_EPOCH_START:
        return access_denied_error(w, t, "it is not in the group of MPI_Win_start");
    case ADI3_EPOCH_LOCK:
        return access_denied_error(
            w, t,
            "other processes are locked, and not this one: MPI_Win_lock must come "
            "before");
    case ADI3_EPOCH_NONE:
    case ADI3_EPOCH_FENCE:
    case ADI3_EPOCH_ALL:
    case ADI3_EPOCH_POST:
        break;
    }
    return access_denied_error(w, t,
                               "no epoch is open; MPI_Win_fence, MPI_Win_start, MPI_Win_lock or "
                               "MPI_Win_lock_all must come before");
}

int rma_access(struct adi3_win *w, struct rma_target *t)
{
    switch ((enum adi3_epoch) w->access) {
    case ADI3_EPOCH_FENCE:
        w->fence_used = true;
        return MPI_SUCCESS;
    case ADI3_EPOCH_START:
        return t->started ? pscw_await_post(w, t) : access_refuse(w, t);
    case ADI3_EPOCH_LOCK:
        return t->quick.access ? MPI_SUCCESS : access_refuse(w, t);
    case ADI3_EPOCH_ALL:
        return t->quick.access ? MPI_SUCCESS : rma_access_acquire(w, t, false);
    case ADI3_EPOCH_NONE:
    case ADI3_EPOCH_POST:
        break;
    }
    return access_refuse(w, t);
}
