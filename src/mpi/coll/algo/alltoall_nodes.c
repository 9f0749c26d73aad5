/* alltoall_nodes.c — leaders gather all blocks of their nodes, send each other node one message
 * with all blocks for it, and scatter what they receive.
 *
 * Cost: between k nodes of q processes a + p q n b, with k - 1 messages for a node instead of q
 * (p - q); within nodes a gather and a scatter of p n bytes from and to each process: for small
 * blocks. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

struct leader {
    const struct coll_nodes *n;
    size_t block;
    int q;          /* processes of our node */
    char *own;      /* for each process of the node, the blocks from or to all ranks */
    char *out, *in; /* blocks sorted by remote node, then by process: out by receiver, then by
                     * sender of our node; in by receiver of our node, then by remote sender */
};

/* Where the q blocks that our processes exchange with the process at a place in n->ranks begin. */
static size_t leader_block_offset(const struct leader *l, int place)
{
    return (size_t) place * (size_t) l->q * l->block;
}

/* Block i of a row of blocks. */
static struct adi3_data block_of(const struct leader *l, char *row, size_t i)
{
    return coll_packed(row + i * l->block, l->block);
}

/* The block that process j of our node sends to a rank or receives from it. */
static struct adi3_data own_block(const struct coll *x, const struct leader *l, int j, int rank)
{
    return block_of(l, l->own, (size_t) j * (size_t) x->size + (size_t) rank);
}

static void sort_out(struct coll *x, const struct leader *l)
{
    for (int i = 0; i < x->size; i++)
        for (int j = 0; j < l->q; j++)
            coll_copy(x, own_block(x, l, j, l->n->ranks[i]),
                      block_of(l, l->out + leader_block_offset(l, i), (size_t) j));
}

static struct adi3_data of_node(const struct leader *l, char *all, int node)
{
    size_t first = leader_block_offset(l, l->n->first[node]);

    return coll_packed(all + first, leader_block_offset(l, l->n->first[node + 1]) - first);
}

static void leaders_alltoall(struct coll *x, const struct leader *l)
{
    const struct coll_nodes *n = l->n;

    for (int i = 1; i < n->count; i++) {
        int to = (n->mine + i) % n->count, from = (n->mine - i + n->count) % n->count;
        coll_start_recv(x, of_node(l, l->in, from), n->leader[from]);
        coll_start_send(x, of_node(l, l->out, to), n->leader[to]);
    }
    coll_copy(x, of_node(l, l->out, n->mine), of_node(l, l->in, n->mine));
    coll_finish(x);
}

/* Sorts the blocks from all nodes by process of our node, then by rank of the sender. */
static void sort_in(struct coll *x, const struct leader *l)
{
    for (int k = 0; k < l->n->count; k++) {
        int first = l->n->first[k], size = coll_nodes_size(l->n, k);
        size_t block = 0;
        for (int j = 0; j < l->q; j++)
            for (int i = 0; i < size; i++)
                coll_copy(x, block_of(l, l->in + leader_block_offset(l, first), block++),
                          own_block(x, l, j, l->n->ranks[first + i]));
    }
}

static void run_leader(struct coll *x, struct leader *l)
{
    size_t all = (size_t) x->size * (size_t) l->q * l->block;

    l->out = coll_bytes(x, all);
    l->in = coll_bytes(x, all);
    sort_out(x, l);
    leaders_alltoall(x, l);
    sort_in(x, l);
}

void alltoall_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup on_node = coll_on_node(n);
    struct leader l = { n, coll_size(x->recv), coll_nodes_size(n, n->mine), NULL, NULL, NULL };
    struct adi3_data send = x->send, recv = x->recv;
    size_t all = (size_t) x->size * l.block;

    if (n->me == 0)
        l.own = coll_bytes(x, (size_t) l.q * all);
    x->send = x->in_place ? recv : send;
    x->send.count *= (size_t) x->size;
    x->recv = coll_packed(l.own, all);
    coll_phase(x, &on_node, 0, &coll_gather);
    if (n->me == 0)
        run_leader(x, &l);
    x->send = coll_packed(l.own, all);
    x->recv = recv;
    x->recv.count *= (size_t) x->size;
    coll_phase(x, &on_node, 0, &coll_scatter);
    x->send = send;
    x->recv = recv;
}
