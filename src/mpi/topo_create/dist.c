/* dist.c — communicators with a distributed graph, and its reordering.
 *
 * Process 0 collects all edges, only when processes are in different places, and computes the new
 * ranks. Other processes know their own edges only. */
#include <stdlib.h>
#include <string.h>
#include "mpi/coll/coll.h"
#include "mpi/topo_create/topo_create.h"

struct mpir_topology *mpir_dist_new(int indegree, int outdegree, bool weighted)
{
    size_t in = (size_t) indegree, out = (size_t) outdegree;
    struct mpir_topology *t = mpir_topology_new(MPI_DIST_GRAPH, (in + out) * (weighted ? 2 : 1));

    if (!t)
        return NULL;
    t->dist = (struct mpir_neighbors) { .weighted = weighted,
                                        .indegree = indegree,
                                        .outdegree = outdegree,
                                        .sources = t->data,
                                        .destinations = t->data + in };
    if (weighted) {
        t->dist.sourceweights = t->data + in + out;
        t->dist.destweights = t->dist.sourceweights + in;
    }
    return t;
}

/* ---- all edges at process 0 ------------------------------------------------------------------ */

struct collected {
    struct map_link *link;
    size_t count;
};

/* Gathers the number of edges of each process at process 0. */
static int count_edges(struct adi3_comm *c, int own, int *counts)
{
    struct adi3_type *type = adi3_type_builtin(MPI_INT);
    struct coll x;

    coll_begin(&x, c);
    x.send = (struct adi3_data) { &own, 1, type };
    x.recv = (struct adi3_data) { counts, 1, type };
    return coll_run(&coll_gather, &x);
}

static int ints_bcast(struct adi3_comm *c, int *v, int count)
{
    struct coll x;

    coll_begin(&x, c);
    x.send = x.recv = (struct adi3_data) { v, (size_t) count, adi3_type_builtin(MPI_INT) };
    return coll_run(&coll_bcast, &x);
}

/* Collects the edges out of this process; link is NULL without memory. */
static struct collected own_edges(const struct adi3_comm *c, const struct mpir_neighbors *d)
{
    struct collected own = { .link = malloc(((size_t) d->outdegree + 1) * sizeof *own.link) };

    for (int i = 0; own.link && i < d->outdegree; i++)
        own.link[own.count++] =
            (struct map_link) { c->rank, d->destinations[i], d->weighted ? d->destweights[i] : 1 };
    return own;
}

/* At rank 0: receives the edges of the other ranks behind the edges of rank 0. */
static int receive_edges(struct adi3_comm *c, const int *counts, struct map_link *link)
{
    struct coll x;

    coll_begin(&x, c);
    for (int r = 1; r < c->size; r++) {
        link += counts[r - 1];
        if (counts[r])
            coll_start_recv(&x, coll_packed(link, (size_t) counts[r] * sizeof *link), r);
    }
    coll_finish(&x);
    coll_free_scratch(&x);
    return x.err;
}

static int send_edges(struct adi3_comm *c, const struct collected *own)
{
    const struct adi3_data d = coll_packed(own->link, own->count * sizeof *own->link);

    return own->count ? adi3_send(&d, 0, ADI3_TAG_COMM, c, ADI3_COLL) : MPI_SUCCESS;
}

/* At process 0: makes room for all edges. */
static bool make_room(const struct adi3_comm *c, const int *counts, struct collected *all)
{
    size_t count = 0;

    for (int r = 0; r < c->size; r++)
        count += (size_t) counts[r];
    struct map_link *link = realloc(all->link, (count + 1) * sizeof *link);
    if (!link)
        return false;
    *all = (struct collected) { link, count };
    return true;
}

/* Sets all edges at process 0, the own ones elsewhere; none anywhere when process 0 has no memory.
 * scratch: an int for each process. */
static int collect_edges(struct adi3_comm *c, const struct mpir_neighbors *d, int *scratch,
                         struct collected *all)
{
    int room = 1;

    *all = own_edges(c, d);
    int err = count_edges(c, (int) all->count, scratch);
    if (!err && c->rank == 0)
        room = make_room(c, scratch, all);
    if (!err)
        err = ints_bcast(c, &room, 1);
    if (!err && room)
        return c->rank ? send_edges(c, all) : receive_edges(c, scratch, all->link);
    all->count = 0;
    return err;
}

/* ---- reordering ------------------------------------------------------------------------------ */

/* Sets place[i] to the new rank of process i, the same everywhere: process 0 computes and
 * broadcasts them. When it has no memory all ranks stay. */
static int choose_ranks(struct adi3_comm *c, const struct mpir_neighbors *d, const int *key,
                        int *place)
{
    struct map_problem p = { .levels = MPIR_PLACES, .key = key };
    struct collected all;
    int err = collect_edges(c, d, place, &all);

    for (int i = 0; i < c->size; i++)
        place[i] = i;
    if (!err && c->rank == 0 && map_graph_make(&p.graph, c->size, all.link, all.count))
        (void) map_processes(&p, place);
    map_graph_free(&p.graph);
    free(all.link);
    if (!err)
        err = ints_bcast(c, place, c->size);
    return err;
}

/* Sends n ints and receives m from others. */
static int swap_ints(struct adi3_comm *c, struct adi3_exchange x, int *out, size_t n, int *in,
                     size_t m)
{
    struct adi3_type *type = adi3_type_builtin(MPI_INT);

    x.out = (struct adi3_data) { out, n, type };
    x.in = (struct adi3_data) { in, m, type };
    return adi3_sendrecv(&x, c, ADI3_COLL, MPI_STATUS_IGNORE);
}

/* The number of ints in the topology of a process. */
static size_t ints_of(const struct mpir_neighbors *d)
{
    return ((size_t) d->indegree + (size_t) d->outdegree) * (d->weighted ? 2 : 1);
}

/* Sends the edges of this process to the process that gets its rank, and receives the edges of its
 * new rank, with weights or without: whether all processes have weights is checked later. */
static int exchange_neighbors(struct adi3_comm *c, const int *ranks, int newrank,
                              struct mpir_topology **t)
{
    const struct adi3_exchange x = { .dest = ranks[c->rank], .source = newrank };
    int out[3] = { (*t)->dist.indegree, (*t)->dist.outdegree, (*t)->dist.weighted }, in[3];
    int err = swap_ints(c, x, out, 3, in, 3);

    if (err)
        return err;
    struct mpir_topology *taken = mpir_dist_new(in[0], in[1], in[2]);
    if (!taken)
        return adi3_no_memory("for a graph of %d processes", c->size);
    err = swap_ints(c, x, (*t)->data, ints_of(&(*t)->dist), taken->data, ints_of(&taken->dist));
    mpir_topology_release(*t);
    *t = taken;
    return err;
}

/* Sets ranks[i] to the rank in c of the process with the new rank i, me to the new rank of this
 * process, and t to the edges of that. */
static int reorder_ranks(struct adi3_comm *c, struct mpir_topology **t, int *ranks, int *me)
{
    size_t n = (size_t) c->size;
    int *key = malloc(n * (MPIR_PLACES + 1) * sizeof *key);
    int err = key ? mpir_places_gather(c, c->size, key)
                  : adi3_no_memory("for a graph of %d processes", c->size);

    if (!err && !mpir_places_equal(key, c->size)) {
        int *place = key + n * MPIR_PLACES;
        err = choose_ranks(c, &(*t)->dist, key, place);
        for (int i = 0; !err && i < c->size; i++)
            ranks[place[i]] = i;
        *me = place[c->rank];
        if (!err)
            err = exchange_neighbors(c, ranks, *me, t);
    }
    free(key);
    return err;
}

int mpir_dist_make(struct adi3_comm *c, struct mpir_topology *t, bool reorder, MPI_Comm *newcomm)
{
    uint32_t digest = mpir_digest(0, (int[]) { t->dist.weighted, reorder }, 2);
    int *ranks = reorder ? malloc((size_t) c->size * sizeof *ranks) : NULL, me = c->rank;
    int err =
        reorder && !ranks ? adi3_no_memory("for a graph of %d processes", c->size) : MPI_SUCCESS;

    for (int i = 0; ranks && i < c->size; i++)
        ranks[i] = i;
    if (!err && reorder)
        err = reorder_ranks(c, &t, ranks, &me);
    if (err)
        mpir_topology_release(t);
    else
        err = mpir_topology_make(c, &(struct adi3_subgroup) { c->size, me, ranks, digest }, t,
                                 newcomm);
    free(ranks);
    return err;
}
