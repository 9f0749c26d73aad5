/* packed.c — deals out a broadcast's data, the first part of van de Geijn's algorithms. */
#include "packed.h"

void flat_deal(struct coll *x, const struct flat *f, size_t piece)
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
