/* reduce_shared.c — each process publishes its operand in the shared-memory segment, and the
 * root combines the operands chunk by chunk.
 *
 * The order of operands is that of allreduce_shared.c. Cost: w + p n (c + g); with more than one
 * chunk, the root and the others work at the same time. */
#include "mpi/coll/algo/shared.h"

static int reduce_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t first, size_t count)
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
    err = adi3_shmcoll_collect(a);
    if (err)
        return err;
    shared_combine(x, a, 0, count, coll_range(x->recv.buf, first, count, x->recv.type).buf,
                   shown ? NULL : coll_range(x->send.buf, first, count, x->recv.type).buf);
    return MPI_SUCCESS;
}

void reduce_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t count = x->recv.count, size = x->recv.type->size,
           most = shared_units(shared_chunk(a, count * size), count, size);
    int err = MPI_SUCCESS;

    for (size_t first = 0; first < count && !err; first += most)
        err = reduce_run_chunk(x, a, first, count - first < most ? count - first : most);
    coll_error(x, err);
}
