/* bcast_nodes.c — one process of each node gets the data, then hands it on within.
 *
 * The data crosses to each node once: the first phase is the best broadcast for as many processes
 * as there are nodes, the second for as many as the largest node has. */
#include "algo.h"
#include "nodes.h"

void bcast_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup across = coll_across_nodes(n, x->root), on_node = coll_on_node(n);
    int head = coll_root_on_node(n, x->root);

    if (n->me == head)
        coll_phase(x, &across, n->node[x->root], &coll_bcast);
    coll_phase(x, &on_node, head, &coll_bcast);
}
