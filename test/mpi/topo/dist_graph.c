/* dist_graph.c — T07: distributed graphs whose edges any process gives: one process gives all, each
 * edge is given by its source or its destination, or by an arbitrary process. Both ends get each
 * edge, as often as it was given, with its weight, and always in the same order. */
#include "edges.h"

static int rank, size;
static struct edges edges;

typedef int giver(const struct edge *e, int i); /* the rank that gives edge i */

static int by_first(const struct edge *e, int i) { return (void) e, (void) i, 0; }
static int by_last(const struct edge *e, int i) { return (void) e, (void) i, size - 1; }
static int by_source(const struct edge *e, int i) { return (void) i, e->from; }
static int by_destination(const struct edge *e, int i) { return (void) i, e->to; }
static int by_any(const struct edge *e, int i) { return (i * 7 + e->to) % size; }

struct given { /* as arguments */
    int n, sources[EDGES_MOST], degrees[EDGES_MOST], edges, to[EDGES_MOST], weights[EDGES_MOST];
};

/* Consecutive edges of one source are one entry, which follows an entry without edges. */
static void collect(struct given *g, giver *by)
{
    g->n = g->edges = 0;
    for (int i = 0; i < edges.n; i++) {
        const struct edge *e = &edges.edge[i];

        if (by(e, i) != rank)
            continue;
        if (g->n == 0 || g->sources[g->n - 1] != e->from) {
            g->sources[g->n] = e->to;
            g->degrees[g->n++] = 0;
            g->sources[g->n] = e->from;
            g->degrees[g->n++] = 0;
        }
        g->degrees[g->n - 1]++;
        g->to[g->edges] = e->to;
        g->weights[g->edges++] = e->weight;
    }
}

static void check_again(MPI_Comm comm, int weighted, const struct ends *in, const struct ends *out)
{
    static struct ends in2, out2;

    edges_ask(comm, weighted, &in2, &out2);
    CHECK(!memcmp(in, &in2, sizeof in2.n + (size_t) in2.n * sizeof(int)));
    CHECK(!memcmp(out, &out2, sizeof out2.n + (size_t) out2.n * sizeof(int)));
}

static void check(giver *by, int weighted, int reorder)
{
    static struct given g;
    static struct ends in, out, got_in, got_out;
    int *weights = g.weights, me;
    MPI_Comm comm;

    collect(&g, by);
    if (!weighted)
        weights = MPI_UNWEIGHTED;
    else if (g.edges == 0)
        weights = MPI_WEIGHTS_EMPTY;
    CHECK_INT(MPI_Dist_graph_create(MPI_COMM_WORLD, g.n, g.sources, g.degrees, g.to, weights,
                                    MPI_INFO_NULL, reorder, &comm),
              MPI_SUCCESS);
    MPI_Comm_rank(comm, &me);
    if (!reorder)
        CHECK_INT(me, rank);
    edges_into(&edges, me, &in);
    edges_out_of(&edges, me, &out);
    if (!weighted) {
        edges_unweigh(&in);
        edges_unweigh(&out);
    }
    edges_ask(comm, weighted, &got_in, &got_out);
    edges_same(&in, &got_in);
    edges_same(&out, &got_out);
    check_again(comm, weighted, &got_in, &got_out);
    MPI_Comm_free(&comm);
}

/* Each message that is sent along the edges is received. */
static void messages(void)
{
    static struct given g;
    static struct ends in, out;
    static int buffer[EDGES_MOST];
    static MPI_Request request[2 * EDGES_MOST];
    MPI_Comm comm;
    int n = 0, me;

    collect(&g, by_any);
    MPI_Dist_graph_create(MPI_COMM_WORLD, g.n, g.sources, g.degrees, g.to, MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 1, &comm);
    edges_ask(comm, 0, &in, &out);
    MPI_Comm_rank(comm, &me);
    for (int i = 0; i < in.n; i++)
        MPI_Irecv(&buffer[i], 1, MPI_INT, in.other[i], 0, comm, &request[n++]);
    for (int i = 0; i < out.n; i++)
        MPI_Isend(&me, 1, MPI_INT, out.other[i], 0, comm, &request[n++]);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < in.n; i++)
        CHECK_INT(buffer[i], in.other[i]);
    MPI_Comm_free(&comm);
}

static void empty(void)
{
    int in = -1, out = -1, weighted = -1;
    MPI_Comm comm;

    MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                          &comm);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    CHECK(in == 0 && out == 0 && weighted);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    static giver *const by[] = { by_first, by_last, by_source, by_destination, by_any };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    edges_make(&edges, size);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        for (int k = 0; k < 4; k++)
            check(by[i], k & 1, k >> 1);
    messages();
    empty();
    MPI_Finalize();
    return 0;
}
