/* reduce_shared.c — all show their operands to the root, which combines them piece by piece.
 *
 * The order of operands is that of allreduce_shared.c. Cost: w + p n (c + g), of which the root's
 * part and the others' is done at the same time where there is more than one piece. */
#include "shared.h"

static int chunk(struct coll *x, struct adi3_shmcoll *a, size_t first, size_t count)
{
    size_t size = x->recv.type->size;
    int err = adi3_shmcoll_begin(a, x->tag, count * size, false);

    if (err)
        return err;
    bool shown = x->rank != x->root || x->send.buf == x->recv.buf || shared_needs_copies(x);
    if (shown)
        shared_put(&x->send, first * size, adi3_shmcoll_at(a, x->rank), count * size);
    if (x->rank != x->root) {
        adi3_shmcoll_signal(a, x->root);
        return MPI_SUCCESS;
    }
    if ((err = adi3_shmcoll_collect(a)))
        return err;
    shared_combine(x, a, 0, count, coll_part(x->recv.buf, first, count, x->recv.type).buf,
                   shown ? NULL : coll_part(x->send.buf, first, count, x->recv.type).buf);
    return MPI_SUCCESS;
}

void reduce_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t count = x->recv.count, size = x->recv.type->size,
           most = shared_units(shared_chunk(a, count * size), count, size);
    int err = MPI_SUCCESS;

    for (size_t first = 0; first < count && !err; first += most)
        err = chunk(x, a, first, count - first < most ? count - first : most);
    coll_error(x, err);
}
