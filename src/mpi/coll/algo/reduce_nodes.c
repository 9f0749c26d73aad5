/* reduce_nodes.c — each node reduces to one of its processes, then these reduce to the root.
 *
 * One result crosses from each node. Cost: that of the best reductions in the largest node and
 * between as many processes as there are nodes. Operands are combined in rank order where the
 * ranks of each node are consecutive; elsewhere the operation must commute. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

void reduce_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup across = coll_across_nodes(n, x->root), on_node = coll_on_node(n);
    int head = coll_root_on_node(n, x->root);
    struct adi3_data send = x->send, recv = x->recv;

    if (n->me == head && !x->recv.buf)
        x->recv.buf = coll_elements(x, recv.count, recv.type);
    coll_phase(x, &on_node, head, &coll_reduce);
    if (n->me == head) {
        x->send = x->recv;
        coll_phase(x, &across, n->node[x->root], &coll_reduce);
    }
    x->send = send;
    x->recv = recv;
}
