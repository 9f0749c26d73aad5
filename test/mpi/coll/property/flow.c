/* flow.c — how many blocks each process sends and receives, how long they are, and where each
 * received block comes from. */
#include "property.h"

static const struct node *neighbors(const struct instance *c, int rank)
{
    return &c->place->nodes[rank];
}

/* The group that the partners of a process are in. */
static int other(const struct instance *c)
{
    return c->place->inter ? 1 - c->place->group : c->place->group;
}

static int peers(const struct instance *c) { return c->place->size[other(c)]; }

/* In an intercommunicator the processes beside the root are idle. */
static bool idle(const struct instance *c)
{
    return c->place->inter && c->place->group == c->root_group && !is_root(c);
}

/* This process sends data to the root or receives it from there. */
static bool below(const struct instance *c) { return !idle(c) && !(c->place->inter && is_root(c)); }

int flow_sends(const struct instance *c)
{
    switch (c->operation) {
    case BARRIER:
        return 0;
    case BCAST:
        return is_root(c);
    case SCATTER:
    case SCATTERV:
        return is_root(c) ? peers(c) : 0;
    case GATHER:
    case GATHERV:
    case REDUCE:
        return below(c);
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW:
        return peers(c);
    case NEIGHBOR_ALLTOALL:
    case NEIGHBOR_ALLTOALLV:
    case NEIGHBOR_ALLTOALLW:
        return neighbors(c, c->place->rank)->outs;
    case ALLGATHER:
    case ALLGATHERV:
    case ALLREDUCE:
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
    case SCAN:
    case EXSCAN:
    case NEIGHBOR_ALLGATHER:
    case NEIGHBOR_ALLGATHERV:
    case OPERATIONS:
        break;
    }
    return 1;
}

int flow_receives(const struct instance *c)
{
    switch (c->operation) {
    case BARRIER:
        return 0;
    case BCAST:
        return !is_root(c) && below(c);
    case SCATTER:
    case SCATTERV:
        return below(c);
    case GATHER:
    case GATHERV:
        return is_root(c) ? peers(c) : 0;
    case REDUCE:
        return is_root(c);
    case ALLGATHER:
    case ALLGATHERV:
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW:
        return peers(c);
    case NEIGHBOR_ALLGATHER:
    case NEIGHBOR_ALLGATHERV:
    case NEIGHBOR_ALLTOALL:
    case NEIGHBOR_ALLTOALLV:
    case NEIGHBOR_ALLTOALLW:
        return neighbors(c, c->place->rank)->ins;
    case ALLREDUCE:
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
    case SCAN:
    case EXSCAN:
    case OPERATIONS:
        break;
    }
    return 1;
}

/* A length between 0 and 2 n + 2, often none. */
static int vary(const struct instance *c, int group, int a, int b)
{
    u64 h = hash4(c->seed, group, a, b);
    int n = c->count[0];

    return h % 4 == 0 ? 0 : (int) ((h >> 8) % 4) * n / 2 * (h % 4 > 1) + (int) ((h >> 20) % 3);
}

/* Items of all parts of a reduce_scatter. */
static int total(const struct instance *c)
{
    const int *size = c->place->size;

    if (c->operation == REDUCE_SCATTER)
        return 3 * c->count[0];
    return c->count[0] * size[0] * (c->place->inter ? size[1] : 1);
}

/* Where the part of a rank begins, in a group that divides the items unequally. */
static int cut(const struct instance *c, int group, int rank)
{
    int before = 0, all = 0, size = c->place->size[group];

    for (int r = 0; r < size; r++) {
        int weight = (int) (hash4(c->seed, group, r, 99) % 4) + (r == size - 1);
        all += weight;
        before += r < rank ? weight : 0;
    }
    return (int) ((long long) total(c) * before / all);
}

/* Items of a rank's part of a reduce_scatter. */
int flow_part(const struct instance *c, int group, int rank)
{
    if (c->operation == REDUCE_SCATTER)
        return cut(c, group, rank + 1) - cut(c, group, rank);
    return total(c) / c->place->size[group];
}

/* Items in a block that a process sends. */
int flow_amount(const struct instance *c, int group, int rank, int block)
{
    switch (c->operation) {
    case GATHERV:
    case ALLGATHERV:
    case NEIGHBOR_ALLGATHERV:
        return vary(c, group, rank, 0);
    case SCATTERV:
        return vary(c, 0, 0, block);
    case ALLTOALLV:
    case ALLTOALLW:
        if (c->in_place && block < rank) /* the same both ways */
            return vary(c, group, block, rank);
        return vary(c, group, rank, block);
    case NEIGHBOR_ALLTOALLV:
    case NEIGHBOR_ALLTOALLW:
        return vary(c, group, rank, block);
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
        return total(c);
    case BARRIER:
    case BCAST:
    case GATHER:
    case SCATTER:
    case ALLGATHER:
    case ALLTOALL:
    case REDUCE:
    case ALLREDUCE:
    case SCAN:
    case EXSCAN:
    case NEIGHBOR_ALLGATHER:
    case NEIGHBOR_ALLTOALL:
    case OPERATIONS:
        break;
    }
    return c->count[group];
}

static struct source reduced(const struct instance *c)
{
    const struct place *p = c->place;
    struct source s = { .group = other(c), .end = peers(c), .count = c->count[0] };

    if (c->operation == SCAN)
        s.end = p->rank + 1;
    if (c->operation == EXSCAN) {
        s.end = p->rank;
        s.rank = p->rank == 0 ? -1 : 0;
    }
    if (c->operation == REDUCE_SCATTER || c->operation == REDUCE_SCATTER_BLOCK) {
        for (int r = 0; r < p->rank; r++)
            s.skip += flow_part(c, p->group, r);
        s.count = flow_part(c, p->group, p->rank);
    }
    return s;
}

/* The source of a block that this process receives. */
struct source flow_source(const struct instance *c, int block)
{
    const struct place *p = c->place;
    struct source s = { .group = other(c), .rank = block };

    if (is_reduction(c->operation))
        return reduced(c);
    if (is_neighborhood(c->operation)) {
        s.rank = neighbors(c, p->rank)->in[block].rank;
        s.block = neighbors(c, p->rank)->in[block].block;
        if (c->operation <= NEIGHBOR_ALLGATHERV)
            s.block = 0;
    } else if (c->operation == BCAST || c->operation == SCATTER || c->operation == SCATTERV) {
        s.group = c->root_group;
        s.rank = c->root;
        s.block = c->operation == BCAST ? 0 : p->rank;
    } else if (c->operation >= ALLTOALL && c->operation <= ALLTOALLW) {
        s.block = p->rank;
    }
    s.count = s.rank < 0 ? c->count[0] : flow_amount(c, s.group, s.rank, s.block);
    return s;
}
