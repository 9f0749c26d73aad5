/* bcast_scatter_ring.c — the root deals out p pieces, which then go round a ring (van de Geijn).
 *
 * The pieces are dealt along a binomial tree. Every process sends in every round, so no link idles.
 * Cost: (log2 p + p - 1) a + 2 n b (p - 1) / p. For large data between nodes. */
#include "algo.h"
#include "flat.h"

/* Receives the pieces of our subtree, hands on those of our children. */
static void deal(struct coll *x, const struct flat *f, size_t piece)
{
    int me = (x->rank - x->root + x->size) % x->size;
    int bit = 1;

    while (bit < x->size && !(me & bit))
        bit *= 2;
    if (me > 0)
        coll_recv(x, flat_cut(f, (size_t) me * piece, (size_t) (me + bit) * piece),
                  (x->rank - bit + x->size) % x->size);
    for (bit /= 2; bit > 0; bit /= 2)
        if (me + bit < x->size)
            coll_send(x, flat_cut(f, (size_t) (me + bit) * piece, (size_t) (me + 2 * bit) * piece),
                      (x->rank + bit) % x->size);
}

void bcast_scatter_ring(struct coll *x)
{
    struct flat f = flat_begin(x);
    size_t piece = (f.len + (size_t) x->size - 1) / (size_t) x->size;
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    int have = (x->rank - x->root + x->size) % x->size;

    deal(x, &f, piece);
    for (int step = 1; step < x->size; step++) {
        int get = (have - 1 + x->size) % x->size;
        coll_exchange(x, flat_cut(&f, (size_t) have * piece, (size_t) (have + 1) * piece), next,
                      flat_cut(&f, (size_t) get * piece, (size_t) (get + 1) * piece), previous);
        have = get;
    }
    flat_end(x, &f);
}
