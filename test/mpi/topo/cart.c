/* cart.c — T01, T03, T04: grids. A process outside gets MPI_COMM_NULL, ranks are row-major,
 * coordinates and shifts wrap in periodic dimensions and end at MPI_PROC_NULL in others. */
#include "mpitest.h"

enum { MOST = 4 };

static int rank, size;

struct grid {
    MPI_Comm comm;
    int ndims, dims[MOST], periods[MOST], me;
};

/* The rank at some coordinates, by the definition; MPI_PROC_NULL outside. */
static int expected_rank(const struct grid *g, const int *coords)
{
    int r = 0;

    for (int d = 0; d < g->ndims; d++) {
        int at = coords[d], n = g->dims[d];

        if (g->periods[d])
            at = (at % n + n) % n;
        if (at < 0 || at >= n)
            return MPI_PROC_NULL;
        r = r * n + at;
    }
    return r;
}

static void check_inquiry(const struct grid *g, int processes)
{
    int ndims = -1, kind = -1, s, dims[MOST + 1], periods[MOST + 1], coords[MOST + 1];

    MPI_Comm_size(g->comm, &s);
    CHECK_INT(s, processes);
    MPI_Topo_test(g->comm, &kind);
    CHECK_INT(kind, MPI_CART);
    MPI_Cartdim_get(g->comm, &ndims);
    CHECK_INT(ndims, g->ndims);
    for (int i = 0; i <= MOST; i++)
        dims[i] = periods[i] = coords[i] = -77;
    MPI_Cart_get(g->comm, MOST, dims, periods, coords);
    for (int d = 0; d < g->ndims; d++) {
        CHECK_INT(dims[d], g->dims[d]);
        CHECK_INT(!periods[d], !g->periods[d]);
    }
    CHECK_INT(expected_rank(g, coords), g->me);
    for (int d = g->ndims; d <= MOST; d++)
        CHECK(dims[d] == -77 && periods[d] == -77 && coords[d] == -77);
}

static void check_ranks(const struct grid *g, int processes)
{
    for (int r = 0; r < processes; r++) {
        int coords[MOST] = { -1, -1, -1, -1 }, back = -1;

        MPI_Cart_coords(g->comm, r, MOST, coords);
        for (int d = 0; d < g->ndims; d++)
            CHECK(coords[d] >= 0 && coords[d] < g->dims[d]);
        CHECK_INT(expected_rank(g, coords), r);
        MPI_Cart_rank(g->comm, coords, &back);
        CHECK_INT(back, r);
        for (int d = 0; d < g->ndims; d++) {
            if (!g->periods[d])
                continue;
            for (int times = -3; times <= 3; times++) {
                int away[MOST];

                memcpy(away, coords, sizeof away);
                away[d] += times * g->dims[d];
                MPI_Cart_rank(g->comm, away, &back);
                CHECK_INT(back, r);
            }
        }
    }
}

static void check_shifts(const struct grid *g)
{
    const int steps[] = { 0, 1, -1, 2, -2, 3, 7, -7, 1000000 };
    int coords[MOST], source, dest;

    MPI_Cart_coords(g->comm, g->me, MOST, coords);
    for (int d = 0; d < g->ndims; d++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            int there[MOST], here[MOST];

            memcpy(there, coords, sizeof there);
            memcpy(here, coords, sizeof here);
            there[d] += steps[k];
            here[d] -= steps[k];
            source = dest = -77;
            MPI_Cart_shift(g->comm, d, steps[k], &source, &dest);
            CHECK_INT(dest, expected_rank(g, there));
            CHECK_INT(source, expected_rank(g, here));
        }
}

/* Usual use: a message along each dimension comes from the source of the shift. */
static void check_messages(const struct grid *g)
{
    for (int d = 0; d < g->ndims; d++) {
        int source, dest, in = -1, from = -1;

        MPI_Cart_shift(g->comm, d, 1, &source, &dest);
        MPI_Sendrecv(&g->me, 1, MPI_INT, dest, d, &in, 1, MPI_INT, source, d, g->comm,
                     MPI_STATUS_IGNORE);
        from = source == MPI_PROC_NULL ? -1 : source;
        CHECK_INT(in, from);
    }
}

static void check_grid(int ndims, const int *dims, const int *periods, int reorder)
{
    struct grid g = { .comm = MPI_COMM_WORLD, .ndims = ndims };
    int processes = 1, member, members;

    for (int d = 0; d < ndims; d++) {
        processes *= g.dims[d] = dims[d];
        g.periods[d] = periods[d];
    }
    if (processes > size)
        return;
    CHECK_INT(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, reorder, &g.comm), MPI_SUCCESS);
    member = g.comm != MPI_COMM_NULL;
    MPI_Allreduce(&member, &members, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(members, processes);
    if (!reorder)
        CHECK_INT(member, rank < processes);
    if (!member)
        return;
    MPI_Comm_rank(g.comm, &g.me);
    if (!reorder)
        CHECK_INT(g.me, rank);
    check_inquiry(&g, processes);
    check_ranks(&g, processes);
    check_shifts(&g);
    check_messages(&g);
    MPI_Comm_free(&g.comm);
}

static void grids(void)
{
    static const int dims[][MOST] = { { 1 },       { 2 },       { 3 },          { 8 },
                                      { 2, 2 },    { 1, 3 },    { 4, 2 },       { 2, 1, 2 },
                                      { 2, 2, 2 }, { 1, 1, 1 }, { 2, 1, 1, 2 }, { 1, 2, 2, 1 } };
    static const int length[] = { 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4 };

    for (size_t k = 0; k < sizeof length / sizeof *length; k++)
        for (int mask = 0; mask < 1 << length[k]; mask++) {
            int periods[MOST];

            for (int d = 0; d < MOST; d++)
                periods[d] = mask >> d & 1 ? d + 1 : 0; /* any number but 0 is true */
            check_grid(length[k], dims[k], periods, mask % 2);
        }
}

/* A grid of the whole communicator, of any size. */
static void balanced(void)
{
    for (int ndims = 1; ndims <= MOST; ndims++) {
        int dims[MOST] = { 0 }, periods[MOST] = { 1, 0, 1, 0 };

        MPI_Dims_create(size, ndims, dims);
        check_grid(ndims, dims, periods, 0);
        check_grid(ndims, dims, periods, 1);
    }
}

/* No dimension: one process. */
static void point(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int n = -1, r = -1, ndims = -1, kind = -1;

    MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &comm);
    CHECK_INT(comm != MPI_COMM_NULL, rank == 0);
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_size(comm, &n);
    CHECK_INT(n, 1);
    MPI_Topo_test(comm, &kind);
    CHECK_INT(kind, MPI_CART);
    MPI_Cartdim_get(comm, &ndims);
    CHECK_INT(ndims, 0);
    MPI_Cart_rank(comm, NULL, &r);
    CHECK_INT(r, 0);
    CHECK_INT(MPI_Cart_coords(comm, 0, 0, NULL), MPI_SUCCESS);
    CHECK_INT(MPI_Cart_get(comm, 0, NULL, NULL, NULL), MPI_SUCCESS);
    MPI_Comm_free(&comm);
}

/* One message each way between two neighbors of a periodic dimension of two, or of one. */
static void same_neighbor_twice(void)
{
    MPI_Comm comm;
    int n = size < 2 ? 1 : 2, one = 1, source, dest, me;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &one, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &me);
    MPI_Cart_shift(comm, 0, 1, &source, &dest);
    CHECK_INT(source, n - 1 - me);
    CHECK_INT(dest, n - 1 - me);
    MPI_Comm_free(&comm);
}

/* A local call: process 0 alone makes it. When all processes make it, they get different ranks. */
static void map(void)
{
    int dims[2] = { 0, 0 }, periods[2] = { 0, 1 }, r = -77, *all, n = size > 1 ? size - 1 : 1;

    MPI_Dims_create(n, 2, dims);
    if (rank == 0) {
        MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &r);
        CHECK(r == MPI_UNDEFINED || (r >= 0 && r < n));
    }
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &r);
    all = mpitest_memory((size_t) size * sizeof *all);
    MPI_Allgather(&r, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        int found = 0;

        for (int k = 0; k < size; k++)
            found += all[k] == i;
        CHECK_INT(found, 1);
    }
    for (int k = 0, none = 0; k < size; k++) {
        none += all[k] == MPI_UNDEFINED;
        CHECK(k < size - 1 || none == size - n);
    }
    free(all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grids();
    balanced();
    point();
    same_neighbor_twice();
    map();
    MPI_Finalize();
    return 0;
}
