/* cart_sub.c — T05: subgrids have the remaining dimensions, with their periods, in their order. */
#include "mpitest.h"

enum { NDIMS = 3 };

static int size;

static void check_part(MPI_Comm cart, const int *dims, const int *periods, const int *remain)
{
    int me, coords[NDIMS], sub_coords[NDIMS], d[NDIMS], p[NDIMS], n = 0, ndims = -1, s, r;
    int whole_rank, *others, processes = 1;
    MPI_Comm sub;

    MPI_Comm_rank(cart, &me);
    MPI_Cart_coords(cart, me, NDIMS, coords);
    MPI_Cart_sub(cart, remain, &sub);
    MPI_Comm_size(sub, &s);
    MPI_Comm_rank(sub, &r);
    MPI_Cartdim_get(sub, &ndims);
    MPI_Cart_get(sub, NDIMS, d, p, sub_coords);
    for (int i = 0; i < NDIMS; i++) {
        if (!remain[i])
            continue;
        CHECK_INT(d[n], dims[i]);
        CHECK_INT(!p[n], !periods[i]);
        CHECK_INT(sub_coords[n], coords[i]);
        processes *= dims[i];
        n++;
    }
    CHECK_INT(ndims, n);
    CHECK_INT(s, processes);
    MPI_Cart_rank(sub, sub_coords, &whole_rank);
    CHECK_INT(whole_rank, r);

    /* the processes with the same coordinates in the other dimensions */
    others = mpitest_memory((size_t) s * sizeof *others);
    MPI_Allgather(&me, 1, MPI_INT, others, 1, MPI_INT, sub);
    for (int i = 0; i < s; i++) {
        int at[NDIMS], sub_at[NDIMS], k = 0;

        MPI_Cart_coords(cart, others[i], NDIMS, at);
        MPI_Cart_coords(sub, i, NDIMS, sub_at);
        for (int j = 0; j < NDIMS; j++)
            CHECK_INT(at[j], remain[j] ? sub_at[k++] : coords[j]);
    }
    free(others);
    MPI_Comm_free(&sub);
}

static void all_parts(const int *shape)
{
    const int periods[NDIMS] = { 1, 0, 1 };
    int dims[NDIMS], remain[NDIMS];
    MPI_Comm cart;

    memcpy(dims, shape, sizeof dims);
    MPI_Dims_create(size, NDIMS, dims);
    MPI_Cart_create(MPI_COMM_WORLD, NDIMS, dims, periods, 0, &cart);
    for (int mask = 1; mask < 1 << NDIMS; mask++) {
        for (int i = 0; i < NDIMS; i++)
            remain[i] = mask >> i & 1 ? i + 5 : 0; /* any number but 0 is true */
        check_part(cart, dims, periods, remain);
    }
    MPI_Comm_free(&cart);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all_parts((int[]) { 0, 0, 0 });
    all_parts((int[]) { 1, 0, 0 });
    all_parts((int[]) { 0, 0, 1 });
    MPI_Finalize();
    return 0;
}
