/* nodes.c — finds out which processes of a communicator share a node, when first asked. No other
 * process need take part: the launcher's store says it, and the business cards of other jobs. */
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

static bool nodes_pay(int nodes, const struct adi3_comm *c) { return nodes > 1 && nodes < c->size; }

/* Sets what follows from the arrays. */
static void nodes_complete(const struct adi3_comm *c, struct coll_nodes *n)
{
    n->mine = n->node[c->rank];
    n->in_order = true;
    for (int i = 0; i < c->size && n->in_order; i++)
        n->in_order = n->ranks[i] == i;
    n->me = coll_nodes_place(n, c->rank);
}

/* Of MPI_COMM_WORLD and its duplicates: the processes of the node have the arrays in common. */
static struct coll_nodes *nodes_of_world(const struct adi3_comm *c, const struct adi3_node_map *map)
{
    struct coll_nodes *n = nodes_pay(map->count, c) ? malloc(sizeof *n) : NULL;

    if (!n)
        return &none;
    *n = (struct coll_nodes) { .count = map->count,
                               .node = map->node,
                               .leader = map->leader,
                               .ranks = map->ranks,
                               .first = map->first };
    nodes_complete(c, n);
    return n;
}

/* Numbers the nodes in the order of their lowest ranks; returns how many, or 0 without memory. */
static int nodes_number(const struct adi3_comm *c, const struct adi3_node_map *map, int *node,
                        int *leader)
{
    int nodes = 0, *number = calloc((size_t) map->count, sizeof *number);

    for (int r = 0; number && r < c->size; r++) {
        int *of = &number[map->node[adi3_group_process(c->group, r)]];
        if (!*of) {
            leader[nodes] = r;
            *of = ++nodes;
        }
        node[r] = *of - 1;
    }
    free(number);
    return nodes;
}

/* The number of the node with this id; `nodes` when none of those before has it. guess: mostly it
 * is the one of the rank before, or the next one. */
static int node_with_id(const uint64_t *id, uint64_t wanted, const int *leader, int nodes,
                        int guess)
{
    for (int i = 0, k = guess; i < nodes; i++, k = k + 1 < nodes ? k + 1 : 0)
        if (id[leader[k]] == wanted)
            return k;
    return nodes;
}

/* The same of processes of several jobs, which are on one node where its ids are the same. 0 also
 * when an id is not known. */
static int nodes_number_by_id(const struct adi3_comm *c, int *node, int *leader)
{
    uint64_t *id = malloc((size_t) c->size * sizeof *id);
    int nodes = 0;

    if (id && !adi3_node_ids(c, id))
        for (int r = 0; r < c->size; r++) {
            node[r] = node_with_id(id, id[r], leader, nodes, r ? node[r - 1] : 0);
            if (node[r] == nodes)
                leader[nodes++] = r;
        }
    free(id);
    return nodes;
}

/* map: of our job; NULL: the processes are of several jobs. */
static struct coll_nodes *nodes_find(const struct adi3_comm *c, const struct adi3_node_map *map)
{
    size_t size = (size_t) c->size;
    struct coll_nodes *n = malloc(sizeof *n + (4 * size + 1) * sizeof(int));

    if (!n)
        return &none;
    int *node = (int *) (n + 1), *leader = node + size, *ranks = leader + size;
    int *first = ranks + size,
        nodes = map ? nodes_number(c, map, node, leader) : nodes_number_by_id(c, node, leader);
    if (!nodes_pay(nodes, c)) {
        free(n);
        return &none;
    }
    adi3_node_map_sort(node, c->size, nodes, ranks, first);
    *n = (struct coll_nodes) {
        .count = nodes, .node = node, .leader = leader, .ranks = ranks, .first = first
    };
    nodes_complete(c, n);
    return n;
}

static struct coll_nodes *nodes_of(const struct adi3_comm *c)
{
    const struct adi3_node_map *map;

    if (c->group->others)
        return nodes_find(c, NULL);
    if (adi3_node_map_find(&map) || !map->node)
        return &none;
    return c->proc == adi3_world.proc ? nodes_of_world(c, map) : nodes_find(c, map);
}

const struct coll_nodes *coll_nodes_of(struct adi3_comm *c)
{
    if (!c->nodes)
        c->nodes = nodes_of(c);
    return c->nodes == &none ? NULL : c->nodes;
}
