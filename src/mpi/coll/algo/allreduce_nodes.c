/* allreduce_nodes.c — each node combines its operands, their leaders combine those of nodes, and
 * hand the result to their own.
 *
 * Cost: between nodes that of the best algorithm for as many processes as there are nodes; in the
 * largest node those of a reduction and a broadcast. Order of operands: as in reduce_nodes.c. */
#include "algo.h"
#include "nodes.h"

void allreduce_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_team leaders = coll_heads(n, n->leader[0]), neighbors = coll_neighbors(n);
    struct adi3_data send = x->send;
    struct coll_outside o = coll_enter(x, &neighbors, n->me, 0);

    if (neighbors.size > 1)
        coll_phase(&coll_reduce, x);
    else
        coll_copy(x, x->send, x->recv);
    coll_leave(x, o);
    x->send = x->recv;
    if (n->me == 0) {
        o = coll_enter(x, &leaders, n->mine, 0);
        coll_phase(&coll_allreduce, x);
        coll_leave(x, o);
    }
    o = coll_enter(x, &neighbors, n->me, 0);
    coll_phase(&coll_bcast, x);
    coll_leave(x, o);
    x->send = send;
}
