/* reduce_nodes.c — each node combines its operands, then one process of each node those of nodes.
 *
 * A result crosses from each node once: the cost is that of the best reductions in the largest node
 * and between as many processes as there are nodes. Operands meet in rank order where each node has
 * ranks in a row; elsewhere the operation must commute. */
#include "algo.h"
#include "nodes.h"

void reduce_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_team heads = coll_heads(n, x->root), neighbors = coll_neighbors(n);
    int head = coll_head(n, x->root);
    struct adi3_data send = x->send, recv = x->recv;
    struct coll_outside o;

    if (n->me == head && !x->recv.buf)
        x->recv.buf = coll_elements(x, recv.count, recv.type);
    o = coll_enter(x, &neighbors, n->me, head);
    if (neighbors.size > 1)
        coll_phase(&coll_reduce, x);
    else
        coll_copy(x, x->send, x->recv);
    coll_leave(x, o);
    if (n->me == head) {
        x->send = x->recv;
        o = coll_enter(x, &heads, n->mine, n->node[x->root]);
        coll_phase(&coll_reduce, x);
        coll_leave(x, o);
    }
    x->send = send;
    x->recv = recv;
}
