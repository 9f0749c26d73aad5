/* bcast_nodes.c — a broadcast to one process of each node, then a broadcast within each node.
 *
 * The data crosses to each node once. Cost: that of the best broadcast for as many processes as
 * there are nodes, and of one for as many as the largest node has. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

void bcast_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup across = coll_across_nodes(n, x->root), on_node = coll_on_node(n);
    int head = coll_root_on_node(n, x->root);

    if (n->me == head)
        coll_phase(x, &across, n->node[x->root], &coll_bcast);
    coll_phase(x, &on_node, head, &coll_bcast);
}
