/* map.h — topology mapping: which process gets which place (rank) of a topology. Knows nothing
 * of communicators.
 *
 * Each process has keys, from the coarsest level (its node) to the finest (its core). Processes
 * with the same keys down to some level are near each other. Links between places have weights.
 * Places are distributed to nodes, then within each node to its parts, and so on. At each level
 * the order of the processes stays unless another one has less weight between the parts. So,
 * compared level by level with the coarsest first, the result is never worse than the identity.
 * A process that knows the nodes of all processes, but finer keys only of its own node, still
 * computes its own place correctly. */
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

/* The links of each place, in both directions, without links to itself. */
struct map_graph {
    int n;
    size_t *start; /* the links of place i: end[start[i]] to end[start[i + 1] - 1] */
    struct map_end *end;
};

struct map_grid { /* row-major, as in MPI_Cart_create */
    int ndims;
    const int *dims, *periods;
};

struct map_problem {
    struct map_graph graph;
    const struct map_grid *grid; /* NULL: not a grid */
    int levels;
    const int *key; /* the key of process i at level l: key[i * levels + l] */
};

/* Sets place[i] to the place of process i; false without memory. */
bool map_processes(const struct map_problem *p, int *place);

/* ---- graphs (map_graph.c) -------------------------------------------------------------------- */

/* Makes the graph of count links among n places; false without memory. */
bool map_graph_make(struct map_graph *g, int n, const struct map_link *link, size_t count);
bool map_graph_of_grid(struct map_graph *g, const struct map_grid *grid, int n);
void map_graph_free(struct map_graph *g);

/* ---- within the mapping (map_blocks.c, map_grow.c) ------------------------------------------- */

/* A set of places that are distributed to parts. */
struct map_set {
    const struct map_problem *p;
    const int *place; /* ascending */
    int n;
    const int *size; /* of each part */
    int parts;
    const int *mark; /* by place: equals token when it is in this set */
    int token;
};

static inline bool map_in(const struct map_set *s, int place) { return s->mark[place] == s->token; }

/* Sets part[i] for each place i of the set so that parts are equal blocks of a grid with few links
 * between them; false when that is not possible. */
bool map_blocks(const struct map_set *s, int *part);
/* Sets part[i] likewise, with parts that grow from one place each; false without memory. */
bool map_grow(const struct map_set *s, int *part);

#endif /* MAP_H */
