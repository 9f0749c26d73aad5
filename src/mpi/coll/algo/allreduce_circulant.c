/* allreduce_circulant.c — a reduce-scatter of p blocks, then an allgather of them: see circulant.h.
 * It is for any p what allreduce_halving.c is for a power of two.
 *
 * Cost: 2 ceil(log2 p) a + n (2 b + g) (p - 1) / p, and two copies of all data. Each block is
 * computed by one process, so all processes get the same bits. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/circulant.h"
#include "mpi/coll/algo/equal.h"

void allreduce_circulant(struct coll *x)
{
    struct circulant c = { .before = equal_first };
    size_t ours = equal_first(x, x->rank), all = x->recv.count;
    struct adi3_type *t = x->recv.type;

    circulant_reduce(x, &c);
    circulant_allgather(x, &c);
    coll_copy(x, coll_range(c.row, 0, all - ours, t), coll_range(x->recv.buf, ours, all - ours, t));
    coll_copy(x, coll_range(c.row, all - ours, ours, t), coll_range(x->recv.buf, 0, ours, t));
}
