/* scatter_nodes.c — the root sends each node its blocks in one message, and leaders scatter them
 * on their nodes.
 *
 * Cost at the root: a message to each other node instead of one to each process, and a copy of
 * these blocks: for blocks that are not large. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

static void send_to_leaders(struct coll *x, const struct coll_nodes *n, char *packed, size_t block)
{
    for (int i = 0, run; i < x->size; i += run) {
        run = coll_nodes_run(n, i, n->first[n->node[n->ranks[i]] + 1]);
        if (n->node[n->ranks[i]] != n->mine)
            coll_copy(x, coll_run_blocks(n, &x->send, i, run),
                      coll_packed(packed + (size_t) i * block, (size_t) run * block));
    }
    for (int k = 0; k < n->count; k++)
        if (k != n->mine)
            coll_start_send(x,
                            coll_packed(packed + (size_t) n->first[k] * block,
                                        (size_t) coll_nodes_size(n, k) * block),
                            n->leader[k]);
}

/* The root sends straight to the processes on its own node. */
static void scatter_on_node(struct coll *x, const struct coll_nodes *n)
{
    if (x->rank != x->root) {
        coll_recv(x, x->recv, x->root);
        return;
    }
    size_t block = coll_size(x->send);
    send_to_leaders(x, n, coll_bytes(x, (size_t) x->size * block), block);
    for (int i = n->first[n->mine]; i < n->first[n->mine + 1]; i++)
        if (n->ranks[i] != x->root)
            coll_start_send(x, coll_block(&x->send, n->ranks[i]), n->ranks[i]);
    coll_copy(x, coll_block(&x->send, x->root), x->recv);
    coll_finish(x);
}

void scatter_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup on_node = coll_on_node(n);
    struct adi3_data send = x->send;
    size_t block = coll_size(x->recv), all = (size_t) on_node.size * block;

    if (n->node[x->root] == n->mine) {
        scatter_on_node(x, n);
        return;
    }
    if (n->me == 0) {
        x->send = coll_packed(coll_bytes(x, all), block);
        coll_recv(x, coll_packed(x->send.buf, all), x->root);
    }
    coll_phase(x, &on_node, 0, &coll_scatter);
    x->send = send;
}
