/* nodes.h — which processes of a communicator share a node, for algorithms with one phase within
 * nodes and one between them. */
#ifndef NODES_H
#define NODES_H

#include "mpi/coll/coll.h"

struct coll_nodes {
    int count, mine;   /* nodes, numbered in the order of their lowest ranks; the number of our
                      * node */
    int me;            /* our place among the processes of our node */
    const int *node;   /* the node of each rank */
    const int *leader; /* the lowest rank of each node */
    const int *ranks;  /* sorted by node, then by rank: ... */
    const int *first;  /* ... those of node k begin at ranks[first[k]] and end before ranks[first[k
                      * + 1]] */
    bool in_order;     /* ranks[i] is i for all i */
};

/* The nodes of a communicator, when there are several and one of them has several of its
 * processes; else NULL. The same in all processes. */
const struct coll_nodes *coll_nodes_of(struct adi3_comm *c);
void coll_nodes_free(struct coll_nodes *n);

/* NULL also within a phase, between two groups, and where placement must not matter. */
static inline const struct coll_nodes *coll_nodes(const struct coll *x)
{
    struct adi3_comm *c = x->comm;

    if (__builtin_expect(c->together || x->subgroup || c->remote, 1) || !coll_by_placement(x))
        return NULL;
    return coll_nodes_of(c);
}

/* For tables: nodes have several processes; for reductions, also: operands are combined in an
 * order that the operation allows. */
static inline bool coll_in_phases(const struct coll *x) { return coll_nodes(x) != NULL; }

static inline bool coll_reduces_in_phases(const struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);

    return n && (n->in_order || x->op->commutes);
}

/* Are the processes of this operation or phase on several nodes, so that a choice by costs is right
 * (algo/cost.h)? Else choices are measured ones. */
static inline bool coll_between_nodes(const struct coll *x)
{
    const struct coll_subgroup *t = x->subgroup;

    return __builtin_expect(!x->comm->together, 0) && !x->comm->remote && coll_by_placement(x)
           && x->size > 1 && (!t || t->replaced >= 0);
}

static inline int coll_nodes_size(const struct coll_nodes *n, int node)
{
    return n->first[node + 1] - n->first[node];
}

/* How many places from i on, before `end`, have ranks that follow each other: their blocks are
 * copied at once. */
static inline int coll_nodes_run(const struct coll_nodes *n, int i, int end)
{
    int run = 1;

    while (i + run < end && n->ranks[i + run] == n->ranks[i] + run)
        run++;
    return run;
}

/* The blocks of so many ranks from that of place i on. */
static inline struct adi3_data coll_run_blocks(const struct coll_nodes *n,
                                               const struct adi3_data *d, int i, int run)
{
    return coll_range(d->buf, (size_t) n->ranks[i] * d->count, (size_t) run * d->count, d->type);
}

/* The place of a rank among the processes of its node. */
int coll_nodes_place(const struct coll_nodes *n, int rank);

/* The subgroup of one process of each node; member k is of node k. It is root on root's node,
 * else the leader. */
static inline struct coll_subgroup coll_across_nodes(const struct coll_nodes *n, int root)
{
    return (struct coll_subgroup) { n->leader, n->count, n->mine, n->node[root], root, false };
}

/* The subgroup of the processes of our node. */
static inline struct coll_subgroup coll_on_node(const struct coll_nodes *n)
{
    return (struct coll_subgroup) {
        n->ranks + n->first[n->mine], coll_nodes_size(n, n->mine), n->me, -1, 0, true
    };
}

/* The member of coll_on_node() that is also in coll_across_nodes() with this root. */
static inline int coll_root_on_node(const struct coll_nodes *n, int root)
{
    return n->node[root] == n->mine ? coll_nodes_place(n, root) : 0;
}

#endif /* NODES_H */
