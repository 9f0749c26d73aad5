/* allgather_neighbor.c — pairs of neighbors exchange their blocks; then each process passes the
 * two blocks that it received last to its neighbors, left and right by turns. For an even p
 * (Chen et al.).
 *
 * It has half as many rounds as a ring, and processes talk to their neighbors only. Cost: p / 2
 * a + (p - 1) n b. For blocks of medium size. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/neighbor.h"

static struct adi3_data pair_blocks(const struct coll *x, int i)
{
    size_t n = x->recv.count;

    return coll_range(x->recv.buf, 2 * (size_t) i * n, 2 * n, x->recv.type);
}

void allgather_neighbor(struct coll *x)
{
    int twin = neighbor_partner(x, 0);

    coll_copy(x, x->send, coll_block(&x->recv, x->rank));
    coll_exchange(x, coll_block(&x->recv, x->rank), twin, coll_block(&x->recv, twin), twin);
    for (int round = 1; round < x->size / 2; round++) {
        int partner = neighbor_partner(x, round);
        coll_exchange(x, pair_blocks(x, neighbor_pair(x, round - 1)), partner,
                      pair_blocks(x, neighbor_pair(x, round)), partner);
    }
}
