/* reduce_scatter_shared.c — each process publishes its operand in the shared-memory segment and
 * combines its block of all operands.
 *
 * The order of operands is that of allreduce_shared.c. Cost: w + n c, and n (c + g) for the blocks.
 * For small data. */
#include "mpi/coll/algo/result_blocks.h"
#include "mpi/coll/algo/shared.h"

/* All publish the elements from the first on; some of them may belong to our block. */
static int reduce_scatter_run_chunk(struct coll *x, struct adi3_shmcoll *a, size_t first,
                                    size_t count)
{
    struct adi3_type *t = x->recv.type;
    size_t ours = result_block_first(x, x->rank), end = ours + x->recv.count;
    int err = adi3_shmcoll_begin(a, x->tag, count * t->size, true);

    if (err)
        return err;
    shared_put(&x->send, first * t->size, adi3_shmcoll_at(a, x->rank), count * t->size);
    err = adi3_shmcoll_barrier(a);
    if (err)
        return err;
    size_t from = ours > first ? ours : first, to = end < first + count ? end : first + count;
    if (from < to)
        shared_combine(x, a, from - first, to - from,
                       coll_range(x->recv.buf, from - ours, to - from, t).buf, NULL);
    return MPI_SUCCESS;
}

/* With MPI_IN_PLACE, a chunk of the result replaces only elements that have been published. */
void reduce_scatter_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    size_t count = x->send.count,
           most = shared_units(shared_half_ring(a), count, x->recv.type->size);
    int err = MPI_SUCCESS;

    for (size_t first = 0; first < count && !err; first += most)
        err = reduce_scatter_run_chunk(x, a, first, count - first < most ? count - first : most);
    coll_error(x, err);
}
