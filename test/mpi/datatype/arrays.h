/* arrays.h — arrays of ints that hold their own number, and the part of them that a type takes. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "mpitest.h"

enum { ARRAY_DIMS = 10, ARRAY_MAX = 1 << 16 };

/* Whether the element at these coordinates belongs to the part. */
typedef int array_part(const int *coordinate, void *arg);

/* The numbers of the part's elements in the order of memory; returns how many there are. */
static inline int array_numbers(int dims, const int *sizes, int order, array_part *part, void *arg,
                                int *number)
{
    int total = 1, n = 0;

    for (int d = 0; d < dims; d++)
        total *= sizes[d];
    CHECK(total <= ARRAY_MAX);
    for (int i = 0; i < total; i++) {
        int coordinate[ARRAY_DIMS], rest = i;

        for (int k = 0; k < dims; k++) { /* the dimension that varies fastest first */
            int d = order == MPI_ORDER_C ? dims - 1 - k : k;

            coordinate[d] = rest % sizes[d];
            rest /= sizes[d];
        }
        if (part(coordinate, arg))
            number[n++] = i;
    }
    return n;
}

/* Whether type, of ints, takes these n numbers of an array of total ones; two such arrays are
 * adjacent. */
static inline void array_check(MPI_Datatype type, int total, int n, const int *number)
{
    static int array[2 * ARRAY_MAX], packed[2 * ARRAY_MAX];
    MPI_Aint lb, extent;
    int size, at = 0;

    MPI_Type_size(type, &size);
    CHECK_INT(size, n * 4);
    MPI_Type_get_extent(type, &lb, &extent);
    CHECK_INT(lb, 0);
    CHECK_INT(extent, total * 4LL);
    MPI_Type_commit(&type);
    for (int i = 0; i < 2 * total; i++)
        array[i] = i;
    MPI_Pack(array, 2, type, packed, sizeof packed, &at, MPI_COMM_SELF);
    CHECK_INT(at, 2 * n * 4);
    for (int i = 0; i < n; i++) {
        CHECK_INT(packed[i], number[i]);
        CHECK_INT(packed[n + i], total + number[i]);
    }
    memset(array, 0xff, sizeof array);
    at = 0;
    MPI_Unpack(packed, 2 * n * 4, &at, array, 2, type, MPI_COMM_SELF);
    for (int i = 0, k = 0; i < 2 * total; i++) {
        int mine = n > 0 && k < 2 * n && i == number[k % n] + (k >= n ? total : 0);

        CHECK_INT(array[i], mine ? i : -1);
        k += mine;
    }
}

#endif /* ARRAYS_H */
