/* epoch.c — whether an operation is allowed now, and whether what it names is in the window. */
#include "rma_impl.h"

int rma_wrong(const struct adi3_win *w, int rank, const char *why)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_RMA_SYNC, "%s: %s", rma_title(w, rank, title), why);
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static int not_now(const struct adi3_win *w, const struct rma_target *t, const char *why)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_RMA_SYNC, "no access to %s now: %s", rma_title(w, t->rank, title),
                      why);
}

static int refuse(const struct adi3_win *w, const struct rma_target *t)
{
    switch ((enum adi3_epoch) w->access) {
    case ADI3_EPOCH_START:
        return not_now(w, t, "it is not in the group of MPI_Win_start");
    case ADI3_EPOCH_LOCK:
        return not_now(w, t,
                       "other processes are locked, and not this one: MPI_Win_lock must come "
                       "before");
    case ADI3_EPOCH_NONE:
    case ADI3_EPOCH_FENCE:
    case ADI3_EPOCH_ALL:
    case ADI3_EPOCH_POST:
        break;
    }
    return not_now(w, t,
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
        return t->started ? pscw_await_post(w, t) : refuse(w, t);
    case ADI3_EPOCH_LOCK:
        return t->quick.held ? MPI_SUCCESS : refuse(w, t);
    case ADI3_EPOCH_ALL:
        return t->quick.held ? MPI_SUCCESS : rma_hold(w, t, false);
    case ADI3_EPOCH_NONE:
    case ADI3_EPOCH_POST:
        break;
    }
    return refuse(w, t);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

bool rma_span(const struct adi3_type *t, size_t count, MPI_Aint *low, MPI_Aint *high)
{
    MPI_Aint steps = count ? (MPI_Aint) count - 1 : 0, far;

    *low = t->true_lb;
    if (count > PTRDIFF_MAX || __builtin_mul_overflow(steps, t->extent, &far)
        || __builtin_add_overflow(t->true_lb, t->true_extent, high))
        return false;
    MPI_Aint *end = far < 0 ? low : high;
    return !__builtin_add_overflow(*end, far, end);
}

static int outside(const struct adi3_win *w, int rank, const struct adi3_rma *x, int disp_unit,
                   uint64_t size)
{
    char title[RMA_TITLE];
    MPI_Aint low = 0, high = 0;

    (void) rma_span(x->type, x->count, &low, &high);
    return adi3_error(MPI_ERR_RMA_RANGE,
                      "displacement %td of %d bytes each, with the bytes %td to %td from there, is "
                      "outside the %llu bytes of %s",
                      x->disp, disp_unit, low, high, (unsigned long long) size,
                      rma_title(w, rank, title));
}

int rma_range(const struct adi3_win *w, int rank, const struct adi3_rma *x, int disp_unit,
              uint64_t size, MPI_Aint *offset)
{
    MPI_Aint low, high, first, end;

    if (x->count == 0 || x->type->size == 0) {
        *offset = 0;
        return MPI_SUCCESS;
    }
    if (!rma_span(x->type, x->count, &low, &high)
        || __builtin_mul_overflow(x->disp, (MPI_Aint) disp_unit, offset)
        || __builtin_add_overflow(*offset, low, &first)
        || __builtin_add_overflow(*offset, high, &end) || first < 0 || (uint64_t) end > size)
        return outside(w, rank, x, disp_unit, size);
    return MPI_SUCCESS;
}
