/* nodes.c — finds out which processes of a communicator share a node, when first asked. It reads
 * the launcher's store, so no other process need take part. */
#include <stdlib.h>
#include "mpi/coll/nodes.h"

bool coll_reproducible;

/* Stands for communicators whose nodes need no phases. */
static struct coll_nodes none;

void coll_nodes_free(struct coll_nodes *n)
{
    if (n != &none)
        free(n);
}

int coll_nodes_place(const struct coll_nodes *n, int rank)
{
    int k = n->node[rank], low = n->first[k], high = n->first[k + 1] - 1;

    while (low < high) {
        int middle = (low + high) / 2;
        if (n->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low - n->first[k];
}

/* Numbers the nodes; false when the launcher does not know a process's node. index: room for a
 * number for each process of the job: that of the node of which it has the lowest rank, or -1. */
static bool nodes_number(const struct adi3_comm *c, struct coll_nodes *n, int *index)
{
    for (int i = 0; i < adi3_world.size; i++)
        index[i] = -1;
    for (int r = 0; r < c->size; r++) {
        int lowest;
        if (adi3_node_of(c, r, &lowest) || lowest >= adi3_world.size)
            return false;
        if (index[lowest] < 0) {
            n->leader[n->count] = r;
            index[lowest] = n->count++;
        }
        n->node[r] = index[lowest];
    }
    n->mine = n->node[c->rank];
    return true;
}

/* Sorts ranks by node, and fills first[] with where each node begins. */
static void nodes_sort_ranks(const struct adi3_comm *c, struct coll_nodes *n)
{
    for (int k = 0; k <= n->count; k++)
        n->first[k] = 0;
    for (int r = 0; r < c->size; r++)
        n->first[n->node[r] + 1]++;
    for (int k = 0; k < n->count; k++)
        n->first[k + 1] += n->first[k];
    n->in_order = true;
    for (int r = 0; r < c->size; r++) {
        int at = n->first[n->node[r]]++;
        n->ranks[at] = r;
        n->in_order = n->in_order && at == r;
    }
    for (int k = n->count; k > 0; k--) /* each entry has moved to its node's end, where the next
                                        * node begins */
        n->first[k] = n->first[k - 1];
    n->first[0] = 0;
    n->me = coll_nodes_place(n, c->rank);
}

static struct coll_nodes *nodes_find(const struct adi3_comm *c)
{
    size_t size = (size_t) c->size;
    struct coll_nodes *n = malloc(sizeof *n + (4 * size + 1) * sizeof(int));
    int *index = malloc((size_t) adi3_world.size * sizeof *index);
    bool pays = false;

    if (n && index) {
        *n = (struct coll_nodes) { .node = (int *) (n + 1) };
        n->leader = n->node + size;
        n->ranks = n->leader + size;
        n->first = n->ranks + size;
        pays = nodes_number(c, n, index) && n->count > 1 && n->count < c->size;
    }
    free(index);
    if (pays) {
        nodes_sort_ranks(c, n);
        return n;
    }
    free(n);
    return &none;
}

const struct coll_nodes *coll_nodes_of(struct adi3_comm *c)
{
    if (!c->nodes)
        c->nodes = nodes_find(c);
    return c->nodes == &none ? NULL : c->nodes;
}
