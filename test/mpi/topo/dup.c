/* dup.c — T10: a duplicate has the topology, also when the original is freed; a communicator that
 * is split from one, or made of its group, has none. */
#include "mpitest.h"

static void check(MPI_Comm comm, int kind)
{
    int got = -1;

    MPI_Topo_test(comm, &got);
    CHECK_INT(got, kind);
}

/* Frees comm; then a duplicate of a duplicate still has the topology. */
static MPI_Comm duplicate(MPI_Comm comm, int kind)
{
    MPI_Comm dup, again, split;

    check(comm, kind);
    MPI_Comm_split(comm, 0, 0, &split);
    check(split, MPI_UNDEFINED);
    MPI_Comm_free(&split);
    MPI_Comm_dup(comm, &dup);
    MPI_Comm_free(&comm);
    check(dup, kind);
    MPI_Comm_dup(dup, &again);
    MPI_Comm_free(&dup);
    check(again, kind);
    return again;
}

int main(int argc, char **argv)
{
    int rank, size, dims[2] = { 0 }, periods[2] = { 1, 0 }, index[64], edges[64], weight[1] = { 4 };
    int d[2], p[2], at[2], r, n, in, out, w;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= 64);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    comm = duplicate(comm, MPI_CART);
    MPI_Cart_get(comm, 2, d, p, at);
    CHECK(d[0] == dims[0] && d[1] == dims[1] && p[0] && !p[1]);
    MPI_Cart_rank(comm, at, &r);
    CHECK_INT(r, rank);
    MPI_Comm_free(&comm);

    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    comm = duplicate(comm, MPI_GRAPH);
    MPI_Graph_neighbors_count(comm, rank, &n);
    MPI_Graph_neighbors(comm, rank, 1, &out);
    CHECK(n == 1 && out == (rank + 1) % size);
    MPI_Comm_free(&comm);

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &rank, weight, 1, &rank, weight,
                                   MPI_INFO_NULL, 0, &comm);
    comm = duplicate(comm, MPI_DIST_GRAPH);
    MPI_Dist_graph_neighbors(comm, 1, &in, &w, 1, &out, MPI_UNWEIGHTED);
    CHECK(in == rank && out == rank && w == 4);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
