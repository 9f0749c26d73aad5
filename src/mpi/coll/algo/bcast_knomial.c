/* bcast_knomial.c — each process that has the data sends it to three more; their number grows
 * fourfold in each round (k-nomial tree, k = 4).
 *
 * It has half as many rounds as a binomial tree, of three messages each. Cost: ceil(log4 p) (a +
 * 3 n b): for small data where the latency of a hop counts most, and for all sizes where
 * processes wait for cores. */
#include "mpi/coll/algo/algo.h"

enum { RADIX = 4 };

void bcast_knomial(struct coll *x)
{
    int me = (x->rank - x->root + x->size) % x->size; /* rank relative to the root */
    int unit = 1;                                     /* processes in the subtree of a child */

    while (unit < x->size && me / unit % RADIX == 0)
        unit *= RADIX;
    if (me > 0)
        coll_recv(x, x->recv, (x->rank - me / unit % RADIX * unit + x->size) % x->size);
    for (unit /= RADIX; unit > 0; unit /= RADIX)
        for (int child = me + unit; child < x->size && child < me + RADIX * unit; child += unit)
            coll_start_send(x, x->recv, (child + x->root) % x->size);
}
