/* barrier_nodes.c — all processes of a node signal their leader, the leaders do a barrier, and
 * each releases its node.
 *
 * Cost: between nodes that of the best barrier for as many processes as there are nodes; in the
 * largest node that of a gather and a broadcast without data. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

void barrier_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup leaders = coll_across_nodes(n, n->leader[0]), on_node = coll_on_node(n);

    x->send = x->recv = coll_packed(NULL, 0);
    coll_phase(x, &on_node, 0, &coll_gather);
    if (n->me == 0)
        coll_phase(x, &leaders, 0, &coll_barrier);
    coll_phase(x, &on_node, 0, &coll_bcast);
}
