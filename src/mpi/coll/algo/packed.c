/* packed.c — scatters a broadcast's data, the first part of van de Geijn's algorithms. */
#include "mpi/coll/algo/packed.h"

void packed_scatter(struct coll *x, const struct packed *f, size_t block)
{
    int me = (x->rank - x->root + x->size) % x->size;
    int bit = 1;

    while (bit < x->size && !(me & bit))
        bit *= 2;
    if (me > 0)
        coll_recv(x, packed_range(f, (size_t) me * block, (size_t) (me + bit) * block),
                  (x->rank - bit + x->size) % x->size);
    for (bit /= 2; bit > 0; bit /= 2)
        if (me + bit < x->size)
            coll_send(x,
                      packed_range(f, (size_t) (me + bit) * block, (size_t) (me + 2 * bit) * block),
                      (x->rank + bit) % x->size);
}
