/* operation.c — an operation: by which way it goes. */
#include "rma_impl.h"

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

/* An epoch under MPI_Win_start or MPI_Win_lock_all may have to wait at its first operation: then
 * that goes the other way. */
char *adi3_rma_direct(struct adi3_win *w, int target, MPI_Aint disp, size_t len)
{
    struct rma_target **chunk;
    const struct rma_target *t;

    if (!w->targets || (unsigned) target >= (unsigned) w->comm->size
        || !(chunk = w->targets[(unsigned) target / RMA_CHUNK])
        || !(t = chunk[(unsigned) target % RMA_CHUNK]) || t->path != RMA_DIRECT)
        return NULL;
    if (w->access == ADI3_EPOCH_FENCE)
        w->fence_used = true;
    else if (!t->held)
        return NULL;
    uint64_t at;
    if (disp < 0 || __builtin_mul_overflow((uint64_t) disp, (uint64_t) t->disp_unit, &at)
        || at > t->size || len > t->size - at || w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return NULL;
    return t->base + at;
}
