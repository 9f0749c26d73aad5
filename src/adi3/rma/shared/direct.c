/* direct.c — operations on memory that this process can load and store. */
#include "adi3/rma/shared/shared_impl.h"

enum { PACKED = 8192 }; /* bytes of packed elements on the stack */

int rma_target_data(const struct adi3_win *w, const struct rma_target *t, const struct adi3_rma *x,
                    char *base, struct adi3_data *d)
{
    MPI_Aint offset;
    int err = rma_range(w, t->rank, x, t->quick.disp_unit, t->quick.size, &offset);

    *d = (struct adi3_data) { (void *) ((uintptr_t) base + (uintptr_t) offset), x->count, x->type };
    return err;
}

int rma_local_data(const struct adi3_win *w, const struct rma_target *own, const struct adi3_rma *x,
                   struct adi3_data *d)
{
    return w->flavor == MPI_WIN_FLAVOR_DYNAMIC ? rma_region_data(w, own, w->regions, x, d)
                                               : rma_target_data(w, own, x, own->quick.base, d);
}

/* ---- accumulate operations ------------------------------------------------------------------- */

/* Elements that are not one range in the origin are packed in chunks. */
static int combine_chunks(const struct rma_place *p, const struct adi3_data *target,
                          const struct adi3_rma *x, char *from, char *to)
{
    size_t len = target->count * target->type->size, each = target->type->basic->size;
    size_t most = PACKED / each * each;
    _Alignas(16) char packed[PACKED], fetched[PACKED];
    int err = MPI_SUCCESS;

    for (size_t at = 0, some; at < len && !err; at += some) {
        some = len - at < most ? len - at : most;
        bool packs = !from && x->origin.type, fetches = x->result.type;
        if (packs)
            adi3_pack(&x->origin, at, packed, some);
        const struct rma_packed chunk = {
            .at = at,
            .len = some,
            .packed = packs  ? packed
                      : from ? from + at
                             : NULL,
            .fetched = !fetches ? NULL
                       : to     ? to + at
                                : fetched,
        };
        err = rma_accumulate(p, target, &chunk, x->op);
        if (fetches && !to && !err)
            adi3_unpack(&x->result, at, fetched, some);
    }
    return err;
}

int rma_combine(const struct rma_place *p, const struct adi3_data *target, const struct adi3_rma *x)
{
    char *from = x->origin.type ? adi3_one_range(&x->origin) : NULL;
    char *to = x->result.type ? adi3_one_range(&x->result) : NULL;

    if (x->kind == ADI3_COMPARE_AND_SWAP)
        return rma_compare_swap(p, target->buf, target->type, x->origin.buf, x->compare,
                                x->result.buf);
    if ((from || !x->origin.type) && (to || !x->result.type))
        return rma_accumulate(p, target,
                              &(struct rma_packed) { .len = target->count * target->type->size,
                                                     .packed = from,
                                                     .fetched = to },
                              x->op);
    return combine_chunks(p, target, x, from, to);
}

int rma_direct(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x)
{
    struct adi3_data d;
    const struct rma_place p = { w->memory, t->control, true };
    int err = rma_local_data(w, t, x, &d);

    if (err)
        return err;
    if (x->kind == ADI3_PUT)
        adi3_copy(&x->origin, &d);
    else if (x->kind == ADI3_GET)
        adi3_copy(&d, &x->origin);
    else
        return rma_combine(&p, &d, x);
    return MPI_SUCCESS;
}
