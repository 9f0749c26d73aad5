/* big.c — D08: sizes that do not fit an int are MPI_UNDEFINED there and true in the _x forms;
 * D14: displacements and extents above 2^31. */
#include <limits.h>
#include <sys/mman.h>
#include "mpitest.h"

static const MPI_Aint GIB = 1 << 30;

static void check(MPI_Datatype type, long long size, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Aint l = -1, e = -1;
    MPI_Count x = -1, lx = -1, ex = -1;
    int s = -1;

    MPI_Type_size(type, &s);
    CHECK_INT(s, size > INT_MAX ? MPI_UNDEFINED : size);
    MPI_Type_size_x(type, &x);
    CHECK_INT(x, size);
    MPI_Type_get_extent(type, &l, &e);
    CHECK_INT(l, lb);
    CHECK_INT(e, extent);
    MPI_Type_get_extent_x(type, &lx, &ex);
    CHECK_INT(lx, lb);
    CHECK_INT(ex, extent);
    MPI_Type_get_true_extent(type, &l, &e);
    CHECK_INT(l, lb);
    CHECK_INT(e, extent);
    MPI_Type_get_true_extent_x(type, &lx, &ex);
    CHECK_INT(lx, lb);
    CHECK_INT(ex, extent);
}

static void sizes(void)
{
    MPI_Datatype gib, huge, most;

    MPI_Type_contiguous(1 << 27, MPI_DOUBLE, &gib);
    check(gib, GIB, 0, GIB);
    MPI_Type_contiguous(INT_MAX, MPI_BYTE, &most);
    check(most, INT_MAX, 0, INT_MAX);
    MPI_Type_free(&most);
    MPI_Type_contiguous(2, gib, &huge);
    check(huge, 2 * GIB, 0, 2 * GIB); /* one more than fits */
    MPI_Type_free(&huge);
    MPI_Type_contiguous(INT_MAX, gib, &huge);
    check(huge, INT_MAX * GIB, 0, INT_MAX * GIB);
    MPI_Type_free(&huge);
    MPI_Type_vector(3, 2, 5, gib, &huge);
    check(huge, 6 * GIB, 0, 12 * GIB);
    MPI_Type_free(&huge);
    MPI_Type_vector(3, 2, -5, gib, &huge);
    check(huge, 6 * GIB, -10 * GIB, 12 * GIB);
    MPI_Type_free(&huge);
    MPI_Type_indexed(2, (int[]) { 1, 3 }, (int[]) { INT_MAX, 0 }, gib, &huge);
    check(huge, 4 * GIB, 0, (INT_MAX + 1LL) * GIB);
    MPI_Type_free(&huge);
    MPI_Type_create_indexed_block(2, 2, (int[]) { -4, 9 }, gib, &huge);
    check(huge, 4 * GIB, -4 * GIB, 15 * GIB);
    MPI_Type_free(&huge);
    MPI_Type_create_struct(2, (int[]) { 3, 8 }, (MPI_Aint[]) { -5 * GIB, 7 * GIB },
                           (MPI_Datatype[]) { gib, MPI_CHAR }, &huge);
    check(huge, 3 * GIB + 8, -5 * GIB, 12 * GIB + 8);
    MPI_Type_free(&huge);
    MPI_Type_create_subarray(3, (int[]) { 2000, 2000, 2000 }, (int[]) { 2000, 2000, 2000 },
                             (int[]) { 0, 0, 0 }, MPI_ORDER_C, MPI_INT, &huge);
    check(huge, 32000000000, 0, 32000000000);
    MPI_Type_free(&huge);
    MPI_Type_free(&gib);
}

/* Address space without memory: a page takes memory when it is written. */
static char *space(size_t len)
{
    char *p =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(p != MAP_FAILED);
    return p;
}

/* Five pairs of ints, far apart in both directions, are sent to the other process and to this one,
 * with all constructors that can describe the places. */
static MPI_Datatype far_apart(int kind)
{
    static const MPI_Aint disp[] = { 6 * GIB, 0, 3 * GIB + 4, -2 * GIB, 5000000000 };
    const int ones[] = { 1, 1, 1, 1, 1 };
    MPI_Datatype pair, spread, type;
    MPI_Datatype five[5];

    MPI_Type_contiguous(2, MPI_INT, &pair);
    for (int i = 0; i < 5; i++)
        five[i] = pair;
    if (kind == 0) {
        MPI_Type_create_hindexed(5, ones, disp, pair, &type);
    } else if (kind == 1) {
        MPI_Type_create_hindexed_block(5, 1, disp, pair, &type);
    } else if (kind == 2) {
        MPI_Type_create_struct(5, ones, disp, five, &type);
    } else { /* displacements of more than 2^31, in units of 4 bytes */
        int index[5];

        MPI_Type_create_resized(pair, 0, 4, &spread);
        for (int i = 0; i < 5; i++)
            index[i] = (int) (disp[i] / 4);
        if (kind == 3)
            MPI_Type_indexed(5, ones, index, spread, &type);
        else
            MPI_Type_create_indexed_block(5, 1, index, spread, &type);
        MPI_Type_free(&spread);
    }
    MPI_Type_free(&pair);
    MPI_Type_commit(&type);
    return type;
}

static int *place(char *space, int i)
{
    const MPI_Aint disp[] = { 6 * GIB, 0, 3 * GIB + 4, -2 * GIB, 5000000000 };

    return (int *) (void *) (space + 2 * GIB + disp[i]);
}

static void displacements(int rank, int other)
{
    char *out = space(9 * (size_t) GIB), *in = space(9 * (size_t) GIB);

    for (int kind = 0; kind < 5; kind++) {
        MPI_Datatype type = far_apart(kind);
        MPI_Status status;
        int count = -1;

        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 2; k++) {
                place(out, i)[k] = 1000 * rank + 100 * kind + 10 * i + k;
                place(in, i)[k] = 0;
            }
        MPI_Sendrecv(out + 2 * GIB, 1, type, other, 1, in + 2 * GIB, 1, type, other, 1,
                     MPI_COMM_WORLD, &status);
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 2; k++)
                CHECK_INT(place(in, i)[k], 1000 * other + 100 * kind + 10 * i + k);
        MPI_Get_elements(&status, type, &count);
        CHECK_INT(count, 10);
        MPI_Type_free(&type);
    }
    munmap(out, 9 * (size_t) GIB);
    munmap(in, 9 * (size_t) GIB);
}

/* Elements of a count step by an extent above 2^31, up or down. */
static void extents(int rank, int other, int sign)
{
    char *out = space(13 * (size_t) GIB), *in = space(13 * (size_t) GIB);
    MPI_Aint first = sign > 0 ? 0 : 12 * GIB;
    MPI_Datatype type;

    MPI_Type_create_resized(MPI_LONG, 0, sign * 3 * GIB, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 5; i++)
        *(long *) (void *) (out + first + i * sign * 3 * GIB) = 10 * rank + i;
    MPI_Sendrecv(out + first, 5, type, other, 2, in + first, 5, type, other, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 5; i++)
        CHECK_INT(*(long *) (void *) (in + first + i * sign * 3 * GIB), 10 * other + i);
    MPI_Type_free(&type);
    munmap(out, 13 * (size_t) GIB);
    munmap(in, 13 * (size_t) GIB);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sizes();
    displacements(rank, size - 1 - rank);
    extents(rank, size - 1 - rank, 1);
    extents(rank, size - 1 - rank, -1);
    MPI_Finalize();
    return 0;
}
