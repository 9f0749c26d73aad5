/* bcast_scatter_ring.c — the root scatters p blocks, which then go round a ring (van de Geijn).
 *
 * Every process sends in every round, so no link is idle. Cost: (log2 p + p - 1) a + 2 n b (p -
 * 1) / p. For large data between nodes. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/packed.h"

void bcast_scatter_ring(struct coll *x)
{
    struct packed f = packed_begin(x);
    size_t block = packed_block(x, &f);
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    int have = (x->rank - x->root + x->size) % x->size;

    packed_scatter(x, &f, block);
    for (int step = 1; step < x->size; step++) {
        int get = (have - 1 + x->size) % x->size;
        coll_exchange(x, packed_range(&f, (size_t) have * block, (size_t) (have + 1) * block), next,
                      packed_range(&f, (size_t) get * block, (size_t) (get + 1) * block), previous);
        have = get;
    }
    packed_end(x, &f);
}
