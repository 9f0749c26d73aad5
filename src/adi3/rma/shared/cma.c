/* cma.c — operations on the private memory of another process of this node, which the kernel
 * copies. */
#include "adi3/rma/shared/shared_impl.h"

enum { RANGES = 128 }; /* of each side, in one call */

/* Copies the bytes of `here` to `there`, which are addresses of the other process, or back. Neither
 * is packed. */
static int cma_copy_ranges(const struct rma_control *c, bool put, const struct adi3_data *here,
                           const struct adi3_data *there)
{
    size_t len = here->count * here->type->size, room = there->count * there->type->size;
    struct iovec mine[RANGES], its[RANGES];

    len = len < room ? len : room;
    for (size_t done = 0; done < len;) {
        size_t end = done, its_end = done;
        struct os_iov a = { mine, adi3_ranges(here, &end, mine, RANGES) };
        struct os_iov b = { its, adi3_ranges(there, &its_end, its, RANGES) };
        int err = put ? os_cma_writev(c->pid, a, b) : os_cma_readv(c->pid, a, b);
        if (err)
            return rma_cma_error(c, err);
        done = end < its_end ? end : its_end;
    }
    return MPI_SUCCESS;
}

int rma_cma(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x)
{
    const struct rma_place place = { w->memory, t->control, false };
    struct adi3_data there;
    bool dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    int err = dynamic ? rma_regions_read(w, t) : MPI_SUCCESS;

    if (!err && dynamic)
        err = rma_region_data(w, t, t->regions, x, &there);
    else if (!err)
        err = rma_target_data(w, t, x, (char *) (uintptr_t) t->control->base, &there);
    if (err)
        return err;
    if (x->kind == ADI3_PUT || x->kind == ADI3_GET)
        return cma_copy_ranges(t->control, x->kind == ADI3_PUT, &x->origin, &there);
    bool added;
    err = rma_batch_add(w, t, x, &there, &added);
    if (!err && !added)
        err = rma_combine(&place, &there, x);
    return err;
}
