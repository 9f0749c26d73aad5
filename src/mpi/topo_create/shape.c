/* shape.c — communicators with a grid or a graph that each process knows completely: each computes
 * for itself which process gets which rank. */
#include <stdlib.h>
#include <string.h>
#include "mpi/topo_create/topo_create.h"
#include "mpi/topo/cart.h"
#include "mpi/topo/graph.h"

static struct mpir_topology *topology_of_grid(const struct map_grid *grid)
{
    struct mpir_topology *t = mpir_cart_new((size_t) grid->ndims);

    if (!t)
        return NULL;
    t->cart.ndims = grid->ndims;
    for (int i = 0; i < grid->ndims; i++) {
        t->cart.dims[i] = grid->dims[i];
        t->cart.periods[i] = grid->periods[i] != 0;
    }
    return t;
}

static struct mpir_topology *topology_of_graph(const struct mpir_shape *s)
{
    size_t n = (size_t) s->n, edges = (size_t) s->index[n - 1];
    struct mpir_topology *t = mpir_topology_new(MPI_GRAPH, n + edges);

    if (!t)
        return NULL;
    t->graph.nnodes = s->n;
    t->graph.index = memcpy(t->data, s->index, n * sizeof *s->index);
    t->graph.edges = t->data + n;
    for (size_t i = 0; i < edges; i++)
        t->graph.edges[i] = s->edges[i];
    t->graph.symmetric = mpir_graph_symmetric(s->n, s->index, s->edges);
    return t;
}

static bool links_of_graph(struct map_graph *g, const struct mpir_shape *s)
{
    size_t count = (size_t) s->index[s->n - 1], k = 0;
    struct map_link *link = malloc((count + 1) * sizeof *link);

    for (int i = 0; link && i < s->n; i++)
        for (; k < (size_t) s->index[i]; k++)
            link[k] = (struct map_link) { i, s->edges[k], 1 };
    bool made = link && map_graph_make(g, s->n, link, count);
    free(link);
    return made;
}

/* Sets place[i] to the new rank of process i. */
static int map_shape(const struct mpir_shape *s, const int *key, int *place)
{
    struct map_problem p = { .grid = s->index ? NULL : &s->grid,
                             .levels = MPIR_PLACES,
                             .key = key };

    if (mpir_places_equal(key, s->n)) {
        for (int i = 0; i < s->n; i++)
            place[i] = i;
        return MPI_SUCCESS;
    }
    bool made =
        s->index ? links_of_graph(&p.graph, s) : map_graph_of_grid(&p.graph, &s->grid, s->n);
    made = made && map_processes(&p, place);
    map_graph_free(&p.graph);
    return made ? MPI_SUCCESS : adi3_no_memory("for a topology of %d processes", s->n);
}

/* Sets ranks[i] to the rank in c of the process with the new rank i, and me to the new rank of this
 * process. */
static int find_ranks(struct adi3_comm *c, const struct mpir_shape *s, int *ranks, int *me)
{
    size_t n = (size_t) s->n;
    int *key = malloc(n * (MPIR_PLACES + 1) * sizeof *key), *place;
    int err = key ? mpir_places_gather(c, s->n, key)
                  : adi3_no_memory("for a topology of %d processes", s->n);

    if (!err) {
        place = key + n * MPIR_PLACES;
        err = map_shape(s, key, place);
        for (int i = 0; !err && i < s->n; i++)
            ranks[place[i]] = i;
        *me = err ? 0 : place[c->rank];
    }
    free(key);
    return err;
}

static uint32_t digest_of(const struct mpir_shape *s)
{
    uint32_t d = mpir_digest(0, &s->n, 1);

    if (s->index)
        return mpir_digest(mpir_digest(d, s->index, s->n), s->edges, s->index[s->n - 1]);
    d = mpir_digest(d, s->grid.dims, s->grid.ndims);
    for (int i = 0; i < s->grid.ndims; i++)
        d = mpir_digest(d, &(int) { s->grid.periods[i] != 0 }, 1);
    return d;
}

int mpir_shape_make(struct adi3_comm *c, const struct mpir_shape *s, MPI_Comm *newcomm)
{
    struct mpir_topology *t = s->index ? topology_of_graph(s) : topology_of_grid(&s->grid);
    bool same = s->n == c->size && !s->reorder;
    int *ranks = same ? NULL : malloc((size_t) s->n * sizeof *ranks), me = c->rank;
    int err =
        t && (same || ranks) ? MPI_SUCCESS : adi3_no_memory("for a topology of %d processes", s->n);

    for (int i = 0; ranks && i < s->n; i++)
        ranks[i] = i;
    if (!err && s->reorder)
        err = find_ranks(c, s, ranks, &me);
    if (err)
        mpir_topology_release(t);
    else
        err = mpir_topology_make(c, &(struct adi3_subgroup) { s->n, me, ranks, digest_of(s) }, t,
                                 newcomm);
    free(ranks);
    return err;
}

int mpir_shape_rank(const struct adi3_comm *c, const struct mpir_shape *s, int *newrank)
{
    size_t n = (size_t) s->n;
    int *key = malloc(n * (MPIR_PLACES + 1) * sizeof *key);
    int err = key ? mpir_places_look(c, s->n, key)
                  : adi3_no_memory("for a topology of %d processes", s->n);

    if (!err)
        err = map_shape(s, key, key + n * MPIR_PLACES);
    if (!err)
        *newrank = key[n * MPIR_PLACES + (size_t) c->rank];
    free(key);
    return err;
}
