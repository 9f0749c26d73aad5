/* barrier_nodes.c — all of a node report to its leader, leaders meet, and release their own.
 *
 * Cost: between nodes that of the best barrier for as many processes as there are nodes; in the
 * largest node that of messages up a tree and down again. */
#include "algo.h"
#include "nodes.h"

void barrier_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_team leaders = coll_heads(n, n->leader[0]), neighbors = coll_neighbors(n);
    struct coll_outside o = coll_enter(x, &neighbors, n->me, 0);

    barrier_gather(x);
    coll_leave(x, o);
    if (n->me == 0) {
        o = coll_enter(x, &leaders, n->mine, 0);
        coll_phase(&coll_barrier, x);
        coll_leave(x, o);
    }
    o = coll_enter(x, &neighbors, n->me, 0);
    barrier_release(x);
    coll_leave(x, o);
}
