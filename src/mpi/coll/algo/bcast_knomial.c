/* bcast_knomial.c — who has the data hands it to three others at once; the number of those who have
 * it grows fourfold in each round.
 *
 * Half as many rounds as along a binomial tree, of three messages each.
 * Cost: ceil(log4 p) (a + 3 n b): for small data where the latency of a hop counts most,
 * and for all where processes wait for cores. */
#include "algo.h"

enum { RADIX = 4 };

void bcast_knomial(struct coll *x)
{
    int me = (x->rank - x->root + x->size) % x->size; /* the root is 0 */
    int unit = 1;                                     /* processes in the subtree of a child */

    while (unit < x->size && me / unit % RADIX == 0)
        unit *= RADIX;
    if (me > 0)
        coll_recv(x, x->recv, (x->rank - me / unit % RADIX * unit + x->size) % x->size);
    for (unit /= RADIX; unit > 0; unit /= RADIX)
        for (int child = me + unit; child < x->size && child < me + RADIX * unit; child += unit)
            coll_start_send(x, x->recv, (child + x->root) % x->size);
}
