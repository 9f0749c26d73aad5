/* made_job.c — MPI_COMM_WORLD of a job that does not run. */
#include <stdio.h>
#include <stdlib.h>
#include "made_job.h"
#include "adi3/proc/proc.h"
#include "mpi/coll/nodes.h"

static int node_ranks;
static bool calls_block;

static struct adi3_group group; /* coll_nodes_of() asks it for processes of other jobs */
static struct adi3_node_map map;
static int *map_arrays;

int __wrap_adi3_node_map_find(const struct adi3_node_map **found);

/* For coll_nodes_of(), which looks up the nodes as in any job. */
int __wrap_adi3_node_map_find(const struct adi3_node_map **found)
{
    map.mine = adi3_world.rank / node_ranks;
    *found = &map;
    return MPI_SUCCESS;
}

/* It has no arrays where each rank is alone on its node. */
static void make_map(int size, int nodes)
{
    size_t ints = 2 * (size_t) size + 2 * (size_t) nodes + 1;

    map = (struct adi3_node_map) { .count = nodes };
    if (nodes == size)
        return;
    int *node = map_arrays = realloc(map_arrays, ints * sizeof *node);
    if (!node) {
        perror("scale: the nodes of all ranks");
        exit(1);
    }
    int *ranks = node + size, *leader = ranks + size, *first = leader + nodes;
    for (int r = 0; r < size; r++)
        node[r] = r / node_ranks;
    for (int k = 0; k < nodes; k++)
        leader[k] = k * node_ranks;
    adi3_node_map_sort(node, size, nodes, ranks, first);
    map.node = node;
    map.ranks = ranks;
    map.leader = leader;
    map.first = first;
}

bool made_job_blocking(void) { return calls_block; }
int made_job_per_node(void) { return node_ranks; }
int made_job_nodes(void) { return (adi3_world.size + node_ranks - 1) / node_ranks; }

void made_job_open(int ranks, int per_node, bool blocking)
{
    struct adi3_comm *c = &adi3_world;

    if (c->nodes)
        coll_nodes_free(c->nodes);
    node_ranks = per_node < ranks ? per_node : ranks;
    calls_block = blocking;
    c->group = &group;
    c->rank = 0;
    c->size = c->peers = ranks;
    c->nodes = NULL;
    c->together = node_ranks == ranks;
    c->oversubscribed = false;
    c->shmcoll = NULL;
    c->shmcoll_asked = true; /* on one node choices are measured: here among messages alone */
    adi3_job.size = ranks;
    make_map(ranks, made_job_nodes());
}

void made_job_be(int rank)
{
    struct coll_nodes *n = adi3_world.together ? NULL : (void *) coll_nodes_of(&adi3_world);

    adi3_world.rank = adi3_job.rank = rank;
    if (!n)
        return;
    n->mine = n->node[rank];
    n->me = coll_nodes_place(n, rank);
}
