/* barrier_linear.c — all report to rank 0, which then releases all.
 *
 * Cost: 2 a, but 2 (p - 1) messages at rank 0. Every other process waits once: when processes share
 * cores, each has to be given one only once, and that is what takes the time. */
#include "algo.h"

void barrier_linear(struct coll *x)
{
    struct adi3_data nothing = coll_packed(NULL, 0);

    if (x->rank > 0) {
        coll_send(x, nothing, 0);
        coll_recv(x, nothing, 0);
        return;
    }
    for (int i = 1; i < x->size; i++)
        coll_recv(x, nothing, i);
    for (int i = 1; i < x->size; i++)
        coll_send(x, nothing, i);
}
