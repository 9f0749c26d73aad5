/* barrier_linear.c — all processes signal rank 0, which then releases all.
 *
 * Cost: 2 a, with 2 (p - 1) messages at rank 0. Every other process waits only once. When
 * processes share cores, a wait ends only when the process gets a core, and that takes most of
 * the time. */
#include "mpi/coll/algo/algo.h"

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
