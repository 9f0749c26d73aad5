/* range.c — whether what an operation names is in the window. */
#include "adi3/rma/target/target_impl.h"

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

static int win_range_error(const struct adi3_win *w, int rank, const struct adi3_rma *x,
                           int disp_unit, uint64_t size)
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
        return win_range_error(w, rank, x, disp_unit, size);
    return MPI_SUCCESS;
}
