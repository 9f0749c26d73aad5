/* cart_alone.c — T05: without a remaining dimension each process is alone in a grid of no
 * dimension. MPICH 4.0 fails: it gives MPI_COMM_NULL to all but one. */
#include "mpitest.h"

enum { NDIMS = 3 };

static int size;

static void none_remains(void)
{
    int dims[NDIMS] = { 0 }, periods[NDIMS] = { 0 }, remain[NDIMS] = { 0 }, n = -1, s = -1, r = -1;
    MPI_Comm cart, sub;

    MPI_Dims_create(size, NDIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, NDIMS, dims, periods, 0, &cart);
    CHECK_INT(MPI_Cart_sub(cart, remain, &sub), MPI_SUCCESS);
    CHECK(sub != MPI_COMM_NULL);
    MPI_Comm_size(sub, &s);
    MPI_Cartdim_get(sub, &n);
    MPI_Cart_rank(sub, NULL, &r);
    CHECK(s == 1 && n == 0 && r == 0);
    MPI_Comm_free(&sub);
    MPI_Comm_free(&cart);
}

/* Subgrids of subgrids, down to one process, and subgrids of that. */
static void nested(void)
{
    int dims[NDIMS] = { 0 }, periods[NDIMS] = { 0 }, remain[NDIMS] = { 0, 1, 1 }, n = -1, s = -1;
    MPI_Comm comm[NDIMS + 2];

    MPI_Dims_create(size, NDIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, NDIMS, dims, periods, 1, &comm[0]);
    for (int i = 0; i <= NDIMS; i++)
        MPI_Cart_sub(comm[i], remain, &comm[i + 1]);
    MPI_Cartdim_get(comm[NDIMS + 1], &n);
    MPI_Comm_size(comm[NDIMS + 1], &s);
    CHECK_INT(n, 0);
    CHECK_INT(s, 1);
    for (int i = 0; i < NDIMS + 2; i++)
        MPI_Comm_free(&comm[i]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    none_remains();
    nested();
    MPI_Finalize();
    return 0;
}
