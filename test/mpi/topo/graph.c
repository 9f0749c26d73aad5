/* graph.c — T06: graphs. Neighbors are returned in the order they were given, repeated ones and
 * oneself included; processes outside get MPI_COMM_NULL; edges need not go both ways. */
#include "mpitest.h"

enum { MOST = 64 };

static int rank, size;

struct graph {
    int n, index[MOST], edges[MOST * 4];
};

/* Process i: twice to itself, once to the next, i times to the first. */
static struct graph make(int n)
{
    struct graph g = { .n = n };
    int k = 0;

    for (int i = 0; i < n; i++) {
        g.edges[k++] = i;
        g.edges[k++] = (i + 1) % n;
        g.edges[k++] = i;
        for (int j = 0; j < i && j < 3; j++)
            g.edges[k++] = 0;
        g.index[i] = k;
    }
    return g;
}

static void check_inquiry(MPI_Comm comm, const struct graph *g)
{
    int nnodes = -1, nedges = -1, kind = -1, index[MOST], edges[MOST * 4];

    MPI_Topo_test(comm, &kind);
    CHECK_INT(kind, MPI_GRAPH);
    MPI_Graphdims_get(comm, &nnodes, &nedges);
    CHECK_INT(nnodes, g->n);
    CHECK_INT(nedges, g->index[g->n - 1]);
    MPI_Graph_get(comm, MOST, MOST * 4, index, edges);
    CHECK(!memcmp(index, g->index, (size_t) nnodes * sizeof *index));
    CHECK(!memcmp(edges, g->edges, (size_t) nedges * sizeof *edges));
}

static void check_neighbors(MPI_Comm comm, const struct graph *g)
{
    for (int r = 0; r < g->n; r++) {
        int first = r ? g->index[r - 1] : 0, n = g->index[r] - first, count = -1, list[MOST + 1];

        MPI_Graph_neighbors_count(comm, r, &count);
        CHECK_INT(count, n);
        for (int room = n; room <= n + 2; room++) {
            for (int i = 0; i <= MOST; i++)
                list[i] = -77;
            MPI_Graph_neighbors(comm, r, room, list);
            for (int i = 0; i < n; i++)
                CHECK_INT(list[i], g->edges[first + i]);
            CHECK_INT(list[n], -77);
        }
    }
}

static void check(const struct graph *g, int reorder)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int member, members, me, n;

    CHECK_INT(MPI_Graph_create(MPI_COMM_WORLD, g->n, g->index, g->edges, reorder, &comm),
              MPI_SUCCESS);
    member = comm != MPI_COMM_NULL;
    MPI_Allreduce(&member, &members, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(members, g->n);
    if (!reorder)
        CHECK_INT(member, rank < g->n);
    if (!member)
        return;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    CHECK_INT(n, g->n);
    if (!reorder)
        CHECK_INT(me, rank);
    check_inquiry(comm, g);
    check_neighbors(comm, g);
    MPI_Comm_free(&comm);
}

static void no_edges(void)
{
    static const int index[MOST], unread[1];
    int none = -1;
    MPI_Comm comm;

    MPI_Graph_create(MPI_COMM_WORLD, size, index, unread, 0, &comm);
    MPI_Graph_neighbors_count(comm, rank, &none);
    CHECK_INT(none, 0);
    MPI_Comm_free(&comm);
    comm = MPI_COMM_WORLD;
    MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &comm);
    CHECK(comm == MPI_COMM_NULL);
}

/* A local call; when all processes make it, they get different ranks. */
static void map(const struct graph *g)
{
    int r = -77, all[MOST];

    if (rank == 0)
        MPI_Graph_map(MPI_COMM_WORLD, g->n, g->index, g->edges, &r);
    MPI_Graph_map(MPI_COMM_WORLD, g->n, g->index, g->edges, &r);
    MPI_Allgather(&r, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < g->n; i++) {
        int found = 0;

        for (int k = 0; k < size; k++)
            found += all[k] == i;
        CHECK_INT(found, 1);
    }
}

int main(int argc, char **argv)
{
    struct graph whole, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size <= MOST / 2) {
        whole = make(size);
        part = make((size + 1) / 2);
        for (int reorder = 0; reorder < 2; reorder++) {
            check(&whole, reorder);
            check(&part, reorder);
        }
        no_edges();
        map(&whole);
        map(&part);
    }
    MPI_Finalize();
    return 0;
}
