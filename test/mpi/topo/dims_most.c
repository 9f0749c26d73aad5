/* dims_most.c — T02: the largest number, a prime, and more dimensions than factors.
 * MPICH 4.0 fails: it divides by zero, and has at most 20 dimensions. */
#include "mpitest.h"

enum { MOST = 40 };

int main(int argc, char **argv)
{
    int dims[MOST] = { 0 }, prime[2] = { 0, 0 };

    MPI_Init(&argc, &argv);
    MPI_Dims_create(2147483647, 2, prime);
    CHECK(prime[0] == 2147483647 && prime[1] == 1);
    MPI_Dims_create(1 << 30, MOST, dims);
    for (int i = 0; i < MOST; i++)
        CHECK_INT(dims[i], i < 30 ? 2 : 1);
    MPI_Finalize();
    return 0;
}
