/* barrier_tree.c — signals go up a binomial tree to rank 0, then releases go down it.
 *
 * Cost: 2 log2 p a, with only 2 (p - 1) messages. That is the least possible number, and it
 * counts when processes share cores and the receiver of each message has to get one first. */
#include "mpi/coll/algo/algo.h"

void barrier_tree(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);
    int bit = 1;

    for (; bit < x->size && !(x->rank & bit); bit *= 2)
        if (x->rank + bit < x->size)
            coll_recv(x, nothing, x->rank + bit);
    if (x->rank > 0) {
        coll_send(x, nothing, x->rank - bit);
        coll_recv(x, nothing, x->rank - bit);
    }
    for (bit /= 2; bit > 0; bit /= 2)
        if (x->rank + bit < x->size)
            coll_send(x, nothing, x->rank + bit);
}
