/* members.c — T01: a process that is not in a grid or graph takes no part in making it;
 * MPI_Cart_map and MPI_Graph_map give the ranks of the communicators that are made with reorder.
 * Only for Starling: MPI does not say so. */
#include "mpitest.h"

/* The other processes may be in any call meanwhile. */
static void outside(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int one = 1, zero = 0, kind = -1, rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) /* before process 0 has made its part */
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &zero, 0, &comm);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(comm != MPI_COMM_NULL, rank == 0);
    if (rank == 0)
        MPI_Comm_free(&comm);
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    CHECK_INT(kind, MPI_UNDEFINED);
}

static void check(MPI_Comm comm)
{
    int size, dims[2] = { 0 }, periods[2] = { 1, 0 }, mapped = -77, r = MPI_UNDEFINED;
    int index[64], edges[64];
    MPI_Comm made;

    MPI_Comm_size(comm, &size);
    MPI_Dims_create(size > 2 ? size - 1 : size, 2, dims);
    MPI_Cart_map(comm, 2, dims, periods, &mapped);
    MPI_Cart_create(comm, 2, dims, periods, 1, &made);
    if (made != MPI_COMM_NULL) {
        MPI_Comm_rank(made, &r);
        MPI_Comm_free(&made);
    }
    CHECK_INT(r, mapped);

    CHECK(size <= 64);
    for (int i = 0; i < size; i++) { /* across */
        index[i] = i + 1;
        edges[i] = size - 1 - i;
    }
    MPI_Graph_map(comm, size, index, edges, &mapped);
    MPI_Graph_create(comm, size, index, edges, 1, &made);
    MPI_Comm_rank(made, &r);
    CHECK_INT(r, mapped);
    MPI_Comm_free(&made);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm shuffled;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    outside();
    check(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank * 5 % 8, &shuffled);
    check(shuffled);
    MPI_Comm_free(&shuffled);
    MPI_Finalize();
    return 0;
}
