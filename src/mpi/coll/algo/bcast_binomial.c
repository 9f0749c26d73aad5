/* bcast_binomial.c — each process that has the data sends it to one more; their number doubles
 * in each round.
 *
 * Cost: ceil(log2 p) (a + n b). Best for small data; for large data also where all processes
 * share one memory, because it moves no byte twice. */
#include "mpi/coll/algo/algo.h"

void bcast_binomial(struct coll *x)
{
    int me = (x->rank - x->root + x->size) % x->size; /* rank relative to the root */
    int bit = 1;

    while (bit < x->size && !(me & bit))
        bit *= 2;
    if (me > 0)
        coll_recv(x, x->recv, (x->rank - bit + x->size) % x->size);
    for (bit /= 2; bit > 0; bit /= 2)
        if (me + bit < x->size)
            coll_send(x, x->recv, (x->rank + bit) % x->size);
}
