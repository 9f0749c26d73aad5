/* bcast_scatter_ring.c — the root deals out p pieces, which then go round a ring (van de Geijn).
 *
 * Every process sends in every round, so no link idles.
 * Cost: (log2 p + p - 1) a + 2 n b (p - 1) / p. For large data between nodes. */
#include "algo.h"
#include "packed.h"

void bcast_scatter_ring(struct coll *x)
{
    struct flat f = flat_begin(x);
    size_t piece = flat_piece(x, &f);
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    int have = (x->rank - x->root + x->size) % x->size;

    flat_deal(x, &f, piece);
    for (int step = 1; step < x->size; step++) {
        int get = (have - 1 + x->size) % x->size;
        coll_exchange(x, flat_cut(&f, (size_t) have * piece, (size_t) (have + 1) * piece), next,
                      flat_cut(&f, (size_t) get * piece, (size_t) (get + 1) * piece), previous);
        have = get;
    }
    flat_end(x, &f);
}
