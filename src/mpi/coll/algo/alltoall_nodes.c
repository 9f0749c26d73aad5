/* alltoall_nodes.c — leaders gather all blocks of their nodes, send each other node one message
 * with all blocks for it, and scatter what they receive.
 *
 * Cost: between k nodes of q processes a + p q n b, with k - 1 messages for a node instead of q
 * (p - q); within nodes a gather and a scatter of p n bytes from and to each process: for small
 * blocks. */
#include <string.h>
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

struct leader {
    const struct coll_nodes *n;
    size_t block;
    int size, q;    /* processes of the communicator, and of our node */
    char *own;      /* for each process of the node, the blocks from or to all ranks */
    char *out, *in; /* blocks sorted by remote node, then by process: out by receiver, then by
                     * sender of our node; in by receiver of our node, then by remote sender */
};

/* Where the q blocks that our processes exchange with the process at a place in n->ranks begin. */
static size_t leader_block_offset(const struct leader *l, int place)
{
    return (size_t) place * (size_t) l->q * l->block;
}

/* The block that process j of our node sends to a rank or receives from it. */
static char *own_block(const struct leader *l, int j, int rank)
{
    return l->own + ((size_t) j * (size_t) l->size + (size_t) rank) * l->block;
}

/* One step for all blocks: a schedule with a step for each would have as many as the leader has
 * blocks. */
static int sort_out(void *arg, int err)
{
    const struct leader *l = arg;

    for (int i = 0; !err && i < l->size; i++) {
        char *to = l->out + leader_block_offset(l, i);
        for (int j = 0; j < l->q; j++, to += l->block)
            memcpy(to, own_block(l, j, l->n->ranks[i]), l->block);
    }
    return MPI_SUCCESS;
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
static int sort_in(void *arg, int err)
{
    const struct leader *l = arg;
    const char *from = l->in;

    for (int k = 0; !err && k < l->n->count; k++)
        for (int j = 0; j < l->q; j++)
            for (int i = l->n->first[k]; i < l->n->first[k + 1]; i++, from += l->block)
                memcpy(own_block(l, j, l->n->ranks[i]), from, l->block);
    return MPI_SUCCESS;
}

static void run_leader(struct coll *x, struct leader *l)
{
    size_t all = (size_t) x->size * (size_t) l->q * l->block;

    l->out = coll_bytes(x, all);
    l->in = coll_bytes(x, all);
    if (x->stopped)
        return;
    coll_work(x, sort_out, l);
    leaders_alltoall(x, l);
    coll_work(x, sort_in, l);
}

void alltoall_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup on_node = coll_on_node(n);
    struct leader *l = n->me == 0 ? coll_bytes(x, sizeof *l) : NULL; /* of the schedule, too */
    struct adi3_data send = x->send, recv = x->recv;
    size_t block = coll_size(recv), all = (size_t) x->size * block;
    char *own = NULL;

    if (l) {
        int q = coll_nodes_size(n, n->mine);
        own = coll_bytes(x, (size_t) q * all);
        *l = (struct leader) { n, block, x->size, q, own, NULL, NULL };
    }
    x->send = x->in_place ? recv : send;
    x->send.count *= (size_t) x->size;
    x->recv = coll_packed(own, all);
    coll_phase(x, &on_node, 0, &coll_gather);
    if (l)
        run_leader(x, l);
    x->send = coll_packed(own, all);
    x->recv = recv;
    x->recv.count *= (size_t) x->size;
    coll_phase(x, &on_node, 0, &coll_scatter);
    x->send = send;
    x->recv = recv;
}
