/* neighbor_cart.c — T08: the neighborhood operations on grids of one to four dimensions, periodic
 * or not. In each dimension negative comes before positive; blocks from and to MPI_PROC_NULL stay
 * unchanged. In a periodic dimension of one process both neighbors are that process, in one of two
 * processes both are the other: the block to the positive side arrives in the slot of the negative
 * side.
 *
 * MPICH 4.0 fails: in grids with several periodic dimensions of one process it exchanges blocks of
 * different dimensions. */
#include "hood.h"

static void grid(int ndims, const int *dims, int mask)
{
    int periods[4], processes = 1, size;
    struct hood h;
    MPI_Comm comm;

    for (int d = 0; d < ndims; d++) {
        periods[d] = mask >> d & 1;
        processes *= dims[d];
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (processes > size)
        return;
    MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, mask % 3 == 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    h = hood_of_cart(comm);
    hood_test(&h, 2);
    MPI_Comm_free(&comm);
}

static void grids(void)
{
    static const int dims[][4] = { { 1 },       { 2 },       { 3 },       { 4 },
                                   { 8 },       { 1, 1 },    { 2, 1 },    { 1, 3 },
                                   { 2, 2 },    { 2, 4 },    { 1, 1, 1 }, { 2, 1, 2 },
                                   { 2, 2, 2 }, { 1, 2, 3 }, { 3, 1, 1 }, { 1, 2, 1, 2 } };
    static const int length[] = { 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4 };

    for (size_t k = 0; k < sizeof length / sizeof *length; k++)
        for (int mask = 0; mask < 1 << length[k]; mask++)
            grid(length[k], dims[k], mask);
}

/* No dimension: nothing is sent, and no array is read. */
static void point(void)
{
    MPI_Comm comm;
    int v = 7;

    MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    CHECK_INT(MPI_Neighbor_allgather(&v, 1, MPI_INT, &v, 1, MPI_INT, comm), MPI_SUCCESS);
    CHECK_INT(MPI_Neighbor_alltoallv(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, comm),
              MPI_SUCCESS);
    CHECK_INT(MPI_Neighbor_alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, comm),
              MPI_SUCCESS);
    CHECK_INT(v, 7);
    MPI_Comm_free(&comm);
}

/* Empty blocks, blocks of more than one packet, and of more than is sent at once. */
static void sizes(void)
{
    int dims[2] = { 0, 0 }, periods[2] = { 1, 0 }, size;
    struct hood h;
    MPI_Comm comm;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    h = hood_of_cart(comm);
    hood_test(&h, 0);
    hood_test(&h, 3000);
    hood_test(&h, 60000);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grids();
    point();
    sizes();
    MPI_Finalize();
    return 0;
}
