/* allreduce_nodes.c — each node reduces to its leader, the leaders do an allreduce, and each
 * broadcasts the result on its node.
 *
 * Cost: between nodes that of the best algorithm for as many processes as there are nodes; in
 * the largest node that of a reduction and a broadcast. Order of operands: as in reduce_nodes.c. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

void allreduce_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup leaders = coll_across_nodes(n, n->leader[0]), on_node = coll_on_node(n);
    struct adi3_data send = x->send;

    coll_phase(x, &on_node, 0, &coll_reduce);
    x->send = x->recv;
    if (n->me == 0)
        coll_phase(x, &leaders, 0, &coll_allreduce);
    coll_phase(x, &on_node, 0, &coll_bcast);
    x->send = send;
}
