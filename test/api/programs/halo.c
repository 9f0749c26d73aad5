/* halo.c — a Jacobi solver on a Cartesian grid: topologies, derived types, neighborhood and
 * persistent communication, parallel output. It only has to compile; it also runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>

enum { N = 64, STEPS = 20 }; /* points per side of a process's block */

struct grid {
    MPI_Comm comm;
    int coords[2], dims[2];
    int west, east, north, south;
    MPI_Datatype column, row, block;
    double *now, *next; /* (N + 2) x (N + 2) with the halo */
};

static double *at(double *u, int i, int j) { return &u[i * (N + 2) + j]; }

static void make_types(struct grid *g)
{
    const int sizes[2] = { N + 2, N + 2 }, subsizes[2] = { N, N }, starts[2] = { 1, 1 };

    MPI_Type_vector(N, 1, N + 2, MPI_DOUBLE, &g->column);
    MPI_Type_contiguous(N, MPI_DOUBLE, &g->row);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &g->block);
    MPI_Type_commit(&g->column);
    MPI_Type_commit(&g->row);
    MPI_Type_commit(&g->block);
    MPI_Type_set_name(g->column, "column of the halo");
}

static void make_grid(struct grid *g)
{
    const int periods[2] = { 0, 1 };
    int size, rank;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->dims[0] = g->dims[1] = 0;
    MPI_Dims_create(size, 2, g->dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, g->dims, periods, 1, &g->comm);
    MPI_Comm_rank(g->comm, &rank);
    MPI_Cart_coords(g->comm, rank, 2, g->coords);
    MPI_Cart_shift(g->comm, 0, 1, &g->north, &g->south);
    MPI_Cart_shift(g->comm, 1, 1, &g->west, &g->east);
    g->now = calloc((N + 2) * (N + 2), sizeof(double));
    g->next = calloc((N + 2) * (N + 2), sizeof(double));
    make_types(g);
}

static void swap_with_requests(const struct grid *g, MPI_Request r[8])
{
    double *u = g->now;

    MPI_Recv_init(at(u, 0, 1), 1, g->row, g->north, 1, g->comm, &r[0]);
    MPI_Recv_init(at(u, N + 1, 1), 1, g->row, g->south, 0, g->comm, &r[1]);
    MPI_Recv_init(at(u, 1, 0), 1, g->column, g->west, 3, g->comm, &r[2]);
    MPI_Recv_init(at(u, 1, N + 1), 1, g->column, g->east, 2, g->comm, &r[3]);
    MPI_Send_init(at(u, 1, 1), 1, g->row, g->north, 0, g->comm, &r[4]);
    MPI_Ssend_init(at(u, N, 1), 1, g->row, g->south, 1, g->comm, &r[5]);
    MPI_Send_init(at(u, 1, 1), 1, g->column, g->west, 2, g->comm, &r[6]);
    MPI_Send_init(at(u, 1, N), 1, g->column, g->east, 3, g->comm, &r[7]);
    MPI_Startall(8, r);
}

static void swap_with_neighbors(const struct grid *g)
{
    const int one[4] = { 1, 1, 1, 1 };
    const MPI_Datatype types[4] = { g->row, g->row, g->column, g->column };
    MPI_Aint base, from[4], to[4];
    double *inner[4] = { at(g->now, 1, 1), at(g->now, N, 1), at(g->now, 1, 1), at(g->now, 1, N) };
    double *halo[4] = { at(g->now, 0, 1), at(g->now, N + 1, 1), at(g->now, 1, 0),
                        at(g->now, 1, N + 1) };

    MPI_Get_address(g->now, &base);
    for (int i = 0; i < 4; i++) {
        MPI_Get_address(inner[i], &from[i]);
        MPI_Get_address(halo[i], &to[i]);
        from[i] = MPI_Aint_diff(from[i], base);
        to[i] = MPI_Aint_diff(to[i], base);
    }
    MPI_Neighbor_alltoallw(g->now, one, from, types, g->now, one, to, types, g->comm);
}

static double sweep(struct grid *g)
{
    double worst = 0, *u = g->now;

    for (int i = 1; i <= N; i++) {
        for (int j = 1; j <= N; j++) {
            double v = (*at(u, i - 1, j) + *at(u, i + 1, j) + *at(u, i, j - 1) + *at(u, i, j + 1));
            *at(g->next, i, j) = v / 4;
            worst = fmax(worst, fabs(v / 4 - *at(u, i, j)));
        }
    }
    g->now = g->next;
    g->next = u;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    return worst;
}

static void write_out(const struct grid *g, const char *path)
{
    const int sizes[2] = { N * g->dims[0], N * g->dims[1] }, subsizes[2] = { N, N };
    const int starts[2] = { N * g->coords[0], N * g->coords[1] };
    MPI_Datatype view;
    MPI_Info info;
    MPI_File f;
    MPI_Status status;
    MPI_Offset len;
    int count, err;

    MPI_Info_create(&info);
    MPI_Info_set(info, "access_style", "write_once,sequential");
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &view);
    MPI_Type_commit(&view);
    err = MPI_File_open(g->comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                        info, &f);
    if (err != MPI_SUCCESS)
        MPI_Abort(g->comm, 1);
    MPI_File_set_view(f, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
    MPI_File_write_all(f, g->now, 1, g->block, &status);
    MPI_Get_count(&status, g->block, &count);
    MPI_File_sync(f);
    MPI_Barrier(g->comm);
    MPI_File_get_size(f, &len);
    if (count != 1 || len != (MPI_Offset) sizeof(double) * sizes[0] * sizes[1])
        fprintf(stderr, "%s has only %lld bytes\n", path, (long long) len);
    MPI_File_close(&f);
    MPI_Type_free(&view);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    struct grid g;
    MPI_Request r[8];
    MPI_Status s[8];

    MPI_Init(&argc, &argv);
    make_grid(&g);
    swap_with_requests(&g, r);
    MPI_Waitall(8, r, s);
    for (int step = 0; step < STEPS; step++) {
        swap_with_neighbors(&g);
        if (sweep(&g) < 1e-6)
            break;
    }
    write_out(&g, argc > 1 ? argv[1] : "halo.out");
    MPI_Startall(8, r);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 8; i++)
        MPI_Request_free(&r[i]);
    MPI_Type_free(&g.column);
    MPI_Type_free(&g.row);
    MPI_Type_free(&g.block);
    free(g.now), free(g.next);
    MPI_Comm_free(&g.comm);
    MPI_Finalize();
    return 0;
}
