/* allgather_nodes.c — leaders gather the blocks of their nodes, exchange them with the other
 * leaders, and broadcast all blocks on their nodes.
 *
 * Each block crosses to each node once, together with all others of its node. Blocks travel
 * packed, in the order of nodes. Cost: between nodes that of the best allgather of their blocks; in
 * the largest node a gather of n and a broadcast of p n bytes. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/nodes.h"

/* The blocks of one node, within the packed blocks of all. */
static struct adi3_data of_node(const struct coll_nodes *n, char *all, size_t block, int node)
{
    return coll_packed(all + (size_t) n->first[node] * block,
                       (size_t) coll_nodes_size(n, node) * block);
}

/* The leaders' blocks are those of their nodes, in the order of nodes. */
static void leaders_allgather(struct coll *x, const struct coll_nodes *n, char *all, size_t block)
{
    const struct coll_subgroup leaders = coll_across_nodes(n, n->leader[0]);
    size_t nodes = (size_t) n->count;
    MPI_Count *counts = coll_bytes(x, 2 * nodes * sizeof *counts), *displs = counts + nodes;

    if (x->stopped)
        return;
    for (int k = 0; k < n->count; k++) {
        counts[k] = (MPI_Count) ((size_t) coll_nodes_size(n, k) * block);
        displs[k] = (MPI_Count) ((size_t) n->first[k] * block);
    }
    x->send = of_node(n, all, block, n->mine);
    x->recv = coll_packed(all, 0);
    x->recvcounts = mpir_wide(counts);
    x->rdispls = mpir_wide(displs);
    coll_phase(x, &leaders, 0, &coll_allgatherv);
    x->recvcounts = x->rdispls = (struct mpir_counts) { 0 };
}

void allgather_nodes(struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    struct coll_subgroup on_node = coll_on_node(n);
    struct adi3_data send = x->send, recv = x->recv;
    size_t block = coll_size(recv);
    bool in_place = n->in_order && recv.type->contig;
    char *all = in_place ? recv.buf : coll_bytes(x, (size_t) x->size * block);
    struct adi3_data mine = of_node(n, all, block, n->mine);

    x->recv = coll_packed(mine.buf, block);
    coll_phase(x, &on_node, 0, &coll_gather);
    if (n->me == 0)
        leaders_allgather(x, n, all, block);
    x->recv = coll_packed(all, (size_t) x->size * block);
    coll_phase(x, &on_node, 0, &coll_bcast);
    x->send = send;
    x->recv = recv;
    for (int i = 0, run; i < x->size && !in_place; i += run) {
        run = coll_nodes_run(n, i, x->size);
        coll_copy(x, coll_packed(all + (size_t) i * block, (size_t) run * block),
                  coll_run_blocks(n, &recv, i, run));
    }
}
