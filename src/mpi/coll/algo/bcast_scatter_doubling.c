/* bcast_scatter_doubling.c — the root scatters p blocks; then an allgather by recursive
 * doubling. For p a power of two.
 *
 * It has fewer rounds than bcast_scatter_ring.c, with longer messages between processes that are
 * further apart. Cost: 2 log2 p a + 2 n b (p - 1) / p. For data of medium size between nodes. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/packed.h"

void bcast_scatter_doubling(struct coll *x)
{
    struct packed f = packed_begin(x);
    size_t block = packed_block(x, &f);
    int me = (x->rank - x->root + x->size) % x->size;

    packed_scatter(x, &f, block);
    for (int bit = 1; bit < x->size; bit *= 2) {
        int other = me ^ bit, partner = (other + x->root) % x->size;
        size_t ours = (size_t) (me & -bit) * block, theirs = (size_t) (other & -bit) * block;
        size_t len = (size_t) bit * block;
        coll_exchange(x, packed_range(&f, ours, ours + len), partner,
                      packed_range(&f, theirs, theirs + len), partner);
    }
    packed_end(x, &f);
}
