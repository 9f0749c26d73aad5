/* edges.h — a directed graph that every process can compute, with multiple edges, edges to oneself,
 * and isolated processes: the input and the expected result of tests of distributed graphs. */
#ifndef EDGES_H
#define EDGES_H

#include "mpitest.h"

enum { EDGES_MOST = 1024 };

struct edge {
    int from, to, weight;
};

struct edges {
    int n;
    struct edge edge[EDGES_MOST];
};

static inline void edges_add(struct edges *e, int from, int to, int weight)
{
    CHECK(e->n < EDGES_MOST);
    e->edge[e->n++] = (struct edge) { from, to, weight };
}

/* The last process of three or more is isolated. */
static inline void edges_make(struct edges *e, int size)
{
    int n = size > 2 ? size - 1 : size;

    e->n = 0;
    for (int i = 0; i < n; i++) {
        edges_add(e, i, (i + 1) % n, i + 1);
        edges_add(e, i, (i + n / 2) % n, 0);
        if (i % 3 == 0)
            edges_add(e, i, i, 7);
        for (int k = 0; k < i % 4; k++)
            edges_add(e, i, 0, 100 * i + k);
        if (i > 1)
            edges_add(e, 0, i, 1000 + i);
    }
}

struct ends { /* the neighbors of one process on one side */
    int n, other[EDGES_MOST], weight[EDGES_MOST];
};

static inline void edges_into(const struct edges *e, int rank, struct ends *s)
{
    s->n = 0;
    for (int i = 0; i < e->n; i++)
        if (e->edge[i].to == rank) {
            s->other[s->n] = e->edge[i].from;
            s->weight[s->n++] = e->edge[i].weight;
        }
}

static inline void edges_out_of(const struct edges *e, int rank, struct ends *s)
{
    s->n = 0;
    for (int i = 0; i < e->n; i++)
        if (e->edge[i].from == rank) {
            s->other[s->n] = e->edge[i].to;
            s->weight[s->n++] = e->edge[i].weight;
        }
}

static int edges_compare(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* The same neighbors with the same weights, in some order. */
static inline void edges_same(const struct ends *a, const struct ends *b)
{
    static int x[EDGES_MOST][2], y[EDGES_MOST][2];

    CHECK_INT(a->n, b->n);
    for (int i = 0; i < a->n; i++) {
        x[i][0] = a->other[i], x[i][1] = a->weight[i];
        y[i][0] = b->other[i], y[i][1] = b->weight[i];
    }
    qsort(x, (size_t) a->n, sizeof *x, edges_compare);
    qsort(y, (size_t) b->n, sizeof *y, edges_compare);
    for (int i = 0; i < a->n; i++)
        CHECK(x[i][0] == y[i][0] && x[i][1] == y[i][1]);
}

/* Reads the neighbors of this process from comm; weights become 1 where it has none. */
static inline void edges_ask(MPI_Comm comm, int weighted, struct ends *in, struct ends *out)
{
    int kind = -1, w = -1;

    MPI_Topo_test(comm, &kind);
    CHECK_INT(kind, MPI_DIST_GRAPH);
    MPI_Dist_graph_neighbors_count(comm, &in->n, &out->n, &w);
    CHECK_INT(!w, !weighted);
    CHECK(in->n <= EDGES_MOST && out->n <= EDGES_MOST);
    for (int i = 0; i < EDGES_MOST; i++)
        in->weight[i] = out->weight[i] = 1;
    if (weighted)
        MPI_Dist_graph_neighbors(comm, in->n, in->other, in->weight, out->n, out->other,
                                 out->weight);
    else
        MPI_Dist_graph_neighbors(comm, in->n, in->other, MPI_UNWEIGHTED, out->n, out->other,
                                 MPI_UNWEIGHTED);
}

static inline void edges_unweigh(struct ends *e)
{
    for (int i = 0; i < e->n; i++)
        e->weight[i] = 1;
}

#endif /* EDGES_H */
