/* overlap.c — STARLING_CHECK=strict: a warning of operations of one epoch whose bytes at the target
 * overlap, so that the outcome is undefined (§11.7).
 *
 * The last operations with each target are remembered until a flush or the end of the epoch. Those
 * of types with gaps are left out, since their bytes may lie between each other. */
#include <stdlib.h>
#include "adi3/rma/target/target_impl.h"

enum { LAST = 64 };

struct rma_accesses {
    unsigned n; /* how many there were */
    struct access {
        const char *call;
        enum adi3_rma_kind kind;
        MPI_Aint disp, low, high; /* bytes low to high from the begin of the window, or from disp */
    } last[LAST];
};

/* Where the displacement unit is not known here, displacements are compared for equality alone. */
static bool access_describe(const struct rma_target *t, const struct adi3_rma *x, struct access *a)
{
    MPI_Aint low, high, first = 0;

    if (!rma_span(x->type, x->count, &low, &high)
        || (size_t) (high - low) != x->count * x->type->size
        || (t->quick.disp_unit
            && __builtin_mul_overflow(x->disp, (MPI_Aint) t->quick.disp_unit, &first)))
        return false;
    *a = (struct access) { adi3_current.call, x->kind, x->disp, first + low, first + high };
    return true;
}

/* Accumulate operations are atomic, so they may overlap. */
static bool is_access_conflict(const struct rma_target *t, const struct access *a,
                               const struct access *b)
{
    bool both_get = a->kind == ADI3_GET && b->kind == ADI3_GET;
    bool both_accumulate = a->kind >= ADI3_ACCUMULATE && b->kind >= ADI3_ACCUMULATE;

    return !both_get && !both_accumulate && a->low < b->high && b->low < a->high
           && (t->quick.disp_unit || a->disp == b->disp);
}

static void overlap_warn(struct adi3_win *w, const struct rma_target *t, const struct access *a,
                         const struct access *b)
{
    char title[RMA_TITLE];

    w->overlaps = true;
    if (adi3_warn)
        adi3_warn(adi3_error_text(adi3_error(
            MPI_ERR_RMA_CONFLICT,
            "%s to %s: its %td bytes at displacement %td overlap the %td bytes of %s at "
            "displacement %td; with no flush or end of the epoch between, what is read or left "
            "there is undefined",
            a->call, rma_title(w, t->rank, title), a->high - a->low, a->disp, b->high - b->low,
            b->call, b->disp)));
}

void rma_check_overlap(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x)
{
    struct access a;

    if (w->overlaps || !access_describe(t, x, &a))
        return;
    if (!t->accesses && !(t->accesses = calloc(1, sizeof *t->accesses)))
        return;
    struct rma_accesses *all = t->accesses;
    for (unsigned i = 0; i < all->n && i < LAST && !w->overlaps; i++)
        if (is_access_conflict(t, &a, &all->last[i]))
            overlap_warn(w, t, &a, &all->last[i]);
    all->last[all->n++ % LAST] = a;
}

void rma_free_accesses(struct rma_target *t)
{
    free(t->accesses);
    t->accesses = NULL;
}
