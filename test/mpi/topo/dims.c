/* dims.c — T02: balanced grids. Free dimensions have the right product in non-increasing order, and
 * the others stay; for numbers that are small, large, prime, or powers. */
#include <limits.h>
#include "mpitest.h"

enum { MOST = 12 };

static void check_order(int nnodes, int ndims, const int *given, const int *dims)
{
    long long product = 1;
    int last = INT_MAX;

    for (int d = 0; d < ndims; d++) {
        product *= dims[d];
        if (given[d]) {
            CHECK_INT(dims[d], given[d]);
            continue;
        }
        CHECK(dims[d] > 0 && dims[d] <= last);
        last = dims[d];
    }
    CHECK_INT(product, nnodes);
}

static void create(int nnodes, int ndims, int *dims)
{
    int given[MOST];

    memcpy(given, dims, (size_t) ndims * sizeof *dims);
    CHECK_INT(MPI_Dims_create(nnodes, ndims, dims), MPI_SUCCESS);
    check_order(nnodes, ndims, given, dims);
}

/* The standard's examples. */
static void examples(void)
{
    int a[2] = { 0, 0 }, b[2] = { 0, 0 }, c[3] = { 0, 3, 0 };

    create(6, 2, a);
    CHECK(a[0] == 3 && a[1] == 2);
    create(7, 2, b);
    CHECK(b[0] == 7 && b[1] == 1);
    create(6, 3, c);
    CHECK(c[0] == 2 && c[1] == 3 && c[2] == 1);
}

static void all_small(void)
{
    for (int n = 1; n <= 300; n++)
        for (int ndims = 1; ndims <= 5; ndims++)
            for (int fixed = ndims == 1; fixed <= ndims; fixed++) {
                int dims[MOST] = { 0 };

                if (fixed < ndims)
                    dims[fixed] = n % 3 ? 1 : 3;
                create(n, ndims, dims);
            }
}

/* Powers give cubes. */
static void powers(void)
{
    for (int base = 1; base <= 40; base++)
        for (int ndims = 1; ndims <= 5; ndims++) {
            int dims[MOST] = { 0 };
            long long n = 1;

            for (int d = 0; d < ndims; d++)
                n *= base;
            create((int) n, ndims, dims);
            for (int d = 0; d < ndims; d++)
                CHECK_INT(dims[d], base);
        }
}

static void large(void)
{
    static const int numbers[] = { 2147483646, 1073741824, 2147395600, 1396755360,
                                   2095133040, 1000000007, 999999937,  1934917632 };

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        for (int ndims = 1; ndims <= 12; ndims++) {
            int dims[MOST] = { 0 };

            create(numbers[k], ndims, dims);
        }
}

static void nothing_to_do(void)
{
    int dims[2] = { 3, 2 };

    create(6, 2, dims);
    CHECK_INT(MPI_Dims_create(1, 0, NULL), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    examples();
    all_small();
    powers();
    large();
    nothing_to_do();
    MPI_Finalize();
    return 0;
}
