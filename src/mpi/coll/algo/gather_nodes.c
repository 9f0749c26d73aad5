/* gather_nodes.c — leaders gather the blocks of their nodes and send them to the root in one
 * message.
 *
 * Cost at the root: a message from each other node instead of one from each process, and a copy
 * of what these bring: for blocks that are not large. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

/* The root receives from the other nodes. packed: room for the blocks of all. */
static void gather_nodes_recv(struct coll *x, const struct coll_nodes *n, char *packed,
                              size_t block)
{
    for (int k = 0; k < n->count; k++)
        if (k != n->mine)
            coll_start_recv(x,
                            coll_packed(packed + (size_t) n->first[k] * block,
                                        (size_t) coll_nodes_size(n, k) * block),
                            n->leader[k]);
    coll_finish(x);
    for (int i = 0, run; i < x->size; i += run) {
        run = coll_nodes_run(n, i, n->first[n->node[n->ranks[i]] + 1]);
        if (n->node[n->ranks[i]] != n->mine)
            coll_copy(x, coll_packed(packed + (size_t) i * block, (size_t) run * block),
                      coll_run_blocks(n, &x->recv, i, run));
    }
}

/* The processes on the root's node send straight to the root. */
static void gather_on_node(struct coll *x, const struct coll_nodes *n)
{
    if (x->rank != x->root) {
        coll_send(x, x->send, x->root);
        return;
    }
    for (int i = n->first[n->mine]; i < n->first[n->mine + 1]; i++)
        if (n->ranks[i] != x->root)
            coll_start_recv(x, coll_block(&x->recv, n->ranks[i]), n->ranks[i]);
    coll_copy(x, x->send, coll_block(&x->recv, x->root));
    size_t block = coll_size(x->recv);
    gather_nodes_recv(x, n, coll_bytes(x, (size_t) x->size * block), block);
}

void gather_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup on_node = coll_on_node(n);
    struct adi3_data recv = x->recv;
    size_t block = coll_size(x->send), all = (size_t) on_node.size * block;

    if (n->node[x->root] == n->mine) {
        gather_on_node(x, n);
        return;
    }
    if (n->me == 0)
        x->recv = coll_packed(coll_bytes(x, all), block);
    coll_phase(x, &on_node, 0, &coll_gather);
    if (n->me == 0)
        coll_send(x, coll_packed(x->recv.buf, all), x->root);
    x->recv = recv;
}
