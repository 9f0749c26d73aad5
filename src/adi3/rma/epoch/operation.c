/* operation.c — an operation: by which way it goes. */
#include "adi3/rma/epoch/epoch_impl.h"

int adi3_rma(struct adi3_win *w, const struct adi3_rma *x, MPI_Request *request)
{
    struct rma_target *t = rma_target(w, x->target);
    int err = t ? rma_access(w, t) : rma_no_target(w, x->target);

    assert(adi3_lock_held());
    if (err)
        return err;
    if (request)
        *request = ADI3_REQUEST_COMPLETE;
    if (x->count == 0 || x->type->size == 0)
        return MPI_SUCCESS;
    if (__builtin_expect(adi3_check == ADI3_CHECK_STRICT, 0))
        rma_check_overlap(w, t, x);
    switch ((enum rma_path) t->path) {
    case RMA_DIRECT:
        return rma_direct(w, t, x);
    case RMA_CMA:
        return rma_cma(w, t, x);
    case RMA_MESSAGES:
        return rma_send(w, t, x, request);
    }
    return MPI_SUCCESS;
}

bool adi3_rma_lock_first(struct adi3_win *w, int target)
{
    struct rma_target *t = adi3_rma_touched(w, target);

    assert(adi3_lock_held());
    return t && !t->quick.access && t->quick.room && w->access == ADI3_EPOCH_ALL
           && !rma_access_acquire(w, t, false);
}
