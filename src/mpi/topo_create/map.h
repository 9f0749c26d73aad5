/* map.h — which process takes which place of a topology. Knows nothing of communicators.
 *
 * Processes come with keys, from the coarsest level (their node) to the finest (their core):
 * those that have a key in common, and all before it, are near each other. Links between places
 * have weights. Places are dealt to nodes, then within each node to the parts of that, and so
 * on; at each level the order of the processes stays unless another one has less weight between
 * the parts. So the result is never worse than the identity: compared level by level, the
 * coarsest first. And who knows the nodes of all, but the finer levels of his own node alone,
 * finds his own place nevertheless. */
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_link {
    int from, to, weight;
};

struct map_end {
    int to, weight;
};

/* The links of each place: both ways, and none to itself. */
struct map_graph {
    int n;
    size_t *start; /* of place i: end[start[i]] to end[start[i + 1] - 1] */
    struct map_end *end;
};

struct map_grid { /* row-major, as in MPI_Cart_create */
    int ndims;
    const int *dims, *periods;
};

struct map_problem {
    struct map_graph graph;
    const struct map_grid *grid; /* NULL: it is none */
    int levels;
    const int *key; /* of process i and level l: key[i * levels + l] */
};

/* place[i] becomes that of process i; false without memory. */
bool map_processes(const struct map_problem *p, int *place);

/* ---- graphs (map_graph.c) -------------------------------------------------------------------- */

/* Of count links among n places, each of which is one way or both; false without memory. */
bool map_graph_make(struct map_graph *g, int n, const struct map_link *link, size_t count);
bool map_graph_of_grid(struct map_graph *g, const struct map_grid *grid, int n);
void map_graph_free(struct map_graph *g);

/* ---- within the mapping (map_blocks.c, map_grow.c) ------------------------------------------- */

/* Some places that are dealt to parts: at most all. */
struct map_set {
    const struct map_problem *p;
    const int *place; /* ascending */
    int n;
    const int *size; /* of each part */
    int parts;
    const int *mark; /* by place: token when it is in this set */
    int token;
};

static inline bool map_in(const struct map_set *s, int place) { return s->mark[place] == s->token; }

/* Parts that are blocks of a grid, as cubic as possible; false when that cannot be. Both set
 * part[i] for each place i of the set. */
bool map_blocks(const struct map_set *s, int *part);
/* Parts that grow from one place each; false without memory. */
bool map_grow(const struct map_set *s, int *part);

#endif /* MAP_H */
