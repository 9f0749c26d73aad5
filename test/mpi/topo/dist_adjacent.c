/* dist_adjacent.c — T07: distributed graphs in which each process gives its own edges. The process
 * of that rank gets them back in the order they were given; multiple edges, edges to oneself and
 * isolated processes are permitted; weights are there for all or for none. */
#include "edges.h"

static int rank, size;
static struct edges edges;

static int *weights_of(struct ends *e, int weighted)
{
    if (!weighted)
        return MPI_UNWEIGHTED;
    return e->n ? e->weight : MPI_WEIGHTS_EMPTY;
}

static void check(int weighted, int reorder)
{
    static struct ends in, out, got_in, got_out;
    MPI_Comm comm;
    int me, n, old, *all;

    edges_into(&edges, rank, &in);
    edges_out_of(&edges, rank, &out);
    CHECK_INT(MPI_Dist_graph_create_adjacent(
                  MPI_COMM_WORLD, in.n, in.other, weights_of(&in, weighted), out.n, out.other,
                  weights_of(&out, weighted), MPI_INFO_NULL, reorder, &comm),
              MPI_SUCCESS);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    CHECK_INT(n, size);
    if (!reorder)
        CHECK_INT(me, rank);
    edges_into(&edges, me, &in);
    edges_out_of(&edges, me, &out);
    edges_ask(comm, weighted, &got_in, &got_out);
    CHECK_INT(got_in.n, in.n);
    CHECK_INT(got_out.n, out.n);
    CHECK(!memcmp(got_in.other, in.other, (size_t) in.n * sizeof(int)));
    CHECK(!memcmp(got_out.other, out.other, (size_t) out.n * sizeof(int)));
    if (weighted) {
        CHECK(!memcmp(got_in.weight, in.weight, (size_t) in.n * sizeof(int)));
        CHECK(!memcmp(got_out.weight, out.weight, (size_t) out.n * sizeof(int)));
    }
    all = mpitest_memory((size_t) size * sizeof *all); /* ranks are a permutation */
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
    CHECK_INT(all[me], rank);
    for (int i = old = 0; i < size; i++)
        old += all[i];
    CHECK_INT(old, size * (size - 1) / 2);
    free(all);
    MPI_Comm_free(&comm);
}

/* Only some of the arrays are requested; the others stay unchanged. */
static void some_weights(void)
{
    int one[1] = { rank }, weight[1] = { 5 }, in = -1, out = -1, in_weight = -1, out_weight = -1;
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, one, weight, 1, one, weight, MPI_INFO_NULL, 0,
                                   &comm);
    MPI_Dist_graph_neighbors(comm, 1, &in, &in_weight, 1, &out, MPI_UNWEIGHTED);
    CHECK(in == rank && in_weight == 5 && out == rank);
    MPI_Dist_graph_neighbors(comm, 1, &in, MPI_UNWEIGHTED, 1, &out, &out_weight);
    CHECK(out_weight == 5);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    in_weight = out_weight = -77;
    MPI_Dist_graph_neighbors(comm, 1, &in, &in_weight, 1, &out, &out_weight);
    CHECK(in == rank && out == rank && in_weight == -77 && out_weight == -77);
    MPI_Comm_free(&comm);
}

/* All are isolated. */
static void empty(int *weights, int weighted)
{
    int in = -1, out = -1, w = -1;
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, weights, 0, NULL, weights,
                                   MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &w);
    CHECK(in == 0 && out == 0 && !w == !weighted);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int any[1] = { -5 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(MPI_UNWEIGHTED && MPI_WEIGHTS_EMPTY && MPI_UNWEIGHTED != MPI_WEIGHTS_EMPTY);
    edges_make(&edges, size);
    for (int k = 0; k < 4; k++)
        check(k & 1, k >> 1);
    some_weights();
    empty(MPI_UNWEIGHTED, 0);
    empty(MPI_WEIGHTS_EMPTY, 1);
    empty(any, 1);
    MPI_Finalize();
    return 0;
}
