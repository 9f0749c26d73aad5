/* barrier_tree.c — all report up a binomial tree, then rank 0 releases them down it.
 *
 * Cost: 2 log2 p a, but only 2 (p - 1) messages: the fewest, which is what counts when processes
 * share cores and each message waits for its receiver to be given one. */
#include "algo.h"

/* The distance to our parent; for rank 0 a power of two beyond the others. */
static int reach(const struct coll *x)
{
    int bit = 1;

    while (bit < x->size && !(x->rank & bit))
        bit *= 2;
    return bit;
}

void barrier_gather(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);
    int up = reach(x);

    for (int bit = 1; bit < up; bit *= 2)
        if (x->rank + bit < x->size)
            coll_recv(x, nothing, x->rank + bit);
    if (x->rank > 0)
        coll_send(x, nothing, x->rank - up);
}

void barrier_release(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);
    int up = reach(x);

    if (x->rank > 0)
        coll_recv(x, nothing, x->rank - up);
    for (int bit = up / 2; bit > 0; bit /= 2)
        if (x->rank + bit < x->size)
            coll_send(x, nothing, x->rank + bit);
}

void barrier_tree(struct coll *x)
{
    barrier_gather(x);
    barrier_release(x);
}
