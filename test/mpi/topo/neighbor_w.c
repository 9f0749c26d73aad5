/* neighbor_w.c — T08: MPI_Neighbor_alltoallw with a type of its own for each edge, displacements in
 * bytes that do not fit an int, and absolute addresses from MPI_BOTTOM; different types for the
 * same data at both ends of an edge. */
#include <sys/mman.h>
#include "mpitest.h"

enum { N = 5 };

static int rank, size, before, next;
static MPI_Comm ring; /* to the next process twice, from the previous one twice */

static void make_ring(void)
{
    int in[2], out[2];

    in[0] = in[1] = before = (rank + size - 1) % size;
    out[0] = out[1] = next = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, in, MPI_UNWEIGHTED, 2, out, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
}

static int value(int from, int edge, int i) { return 1000 * from + 100 * edge + i; }

/* Ints, and every second int: edge 0 goes from the first to the second, edge 1 back. */
static void make_types(MPI_Datatype type[2])
{
    MPI_Type_contiguous(N, MPI_INT, &type[0]);
    MPI_Type_vector(N, 1, 2, MPI_INT, &type[1]);
    MPI_Type_commit(&type[0]);
    MPI_Type_commit(&type[1]);
}

static void call(int form, const void *out, const int counts[2], const MPI_Aint from[2],
                 const MPI_Datatype sends[2], void *in, const MPI_Aint to[2],
                 const MPI_Datatype recvs[2])
{
    MPI_Request r;

    if (form == 0)
        MPI_Neighbor_alltoallw(out, counts, from, sends, in, counts, to, recvs, ring);
    if (form == 1)
        MPI_Ineighbor_alltoallw(out, counts, from, sends, in, counts, to, recvs, ring, &r);
    if (form == 2)
        MPI_Neighbor_alltoallw_init(out, counts, from, sends, in, counts, to, recvs, ring,
                                    MPI_INFO_NULL, &r);
    if (form == 2)
        MPI_Start(&r);
    if (form > 0)
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (form == 2)
        MPI_Request_free(&r);
}

static void types_differ(int form)
{
    int out[3 * N], in[3 * N + 1];
    const int counts[2] = { 1, 1 };
    const MPI_Aint from[2] = { 0, N * sizeof(int) }, to[2] = { 0, (2 * N + 1) * sizeof(int) };
    MPI_Datatype sends[2], recvs[2];

    make_types(sends);
    recvs[0] = sends[1], recvs[1] = sends[0];
    for (int i = 0; i < N; i++) {
        out[i] = value(rank, 0, i);
        out[N + 2 * i] = value(rank, 1, i);
    }
    memset(in, 0xa5, sizeof in);
    call(form, out, counts, from, sends, in, to, recvs);
    for (int i = 0; i < N; i++) {
        CHECK_INT(in[2 * i], value(before, 0, i));
        CHECK_INT(in[2 * N + 1 + i], value(before, 1, i));
        if (i < N - 1)
            CHECK_INT(in[2 * i + 1], -1515870811); /* unchanged */
    }
    MPI_Type_free(&sends[0]);
    MPI_Type_free(&sends[1]);
}

/* 6 GB of addresses, of which four pages are used. */
static void far(int form)
{
    const size_t len = (size_t) 6 << 30;
    const MPI_Aint at[2] = { (MPI_Aint) 3 << 30, ((MPI_Aint) 5 << 30) + 8 };
    const int counts[2] = { N, N };
    const MPI_Datatype ints[2] = { MPI_INT, MPI_INT };
    char *out =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *in =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(out != MAP_FAILED && in != MAP_FAILED);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++)
            ((int *) (out + at[k]))[i] = value(rank, k, i);
    call(form, out, counts, at, ints, in, at, ints);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++)
            CHECK_INT(((int *) (in + at[k]))[i], value(before, k, i));
    CHECK(munmap(out, len) == 0 && munmap(in, len) == 0);
}

static void backwards(int form)
{
    int out[2 * N], in[2 * N];
    const MPI_Aint at[2] = { -(MPI_Aint) (N * sizeof(int)), 0 };
    const int counts[2] = { N, N };
    const MPI_Datatype ints[2] = { MPI_INT, MPI_INT };

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++)
            out[k * N + i] = value(rank, k, i);
    call(form, out + N, counts, at, ints, in + N, at, ints);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++)
            CHECK_INT(in[k * N + i], value(before, k, i));
}

static void absolute(int form)
{
    int out[2][N], in[2][N];
    MPI_Aint from[2], to[2];
    const int counts[2] = { N, N };
    const MPI_Datatype ints[2] = { MPI_INT, MPI_INT };

    for (int k = 0; k < 2; k++) {
        MPI_Get_address(out[k], &from[k]);
        MPI_Get_address(in[k], &to[k]);
        for (int i = 0; i < N; i++)
            out[k][i] = value(rank, k, i);
    }
    call(form, MPI_BOTTOM, counts, from, ints, MPI_BOTTOM, to, ints);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++)
            CHECK_INT(in[k][i], value(before, k, i));
}

/* An empty block along one edge, with any types and place. */
static void empty_edge(int form)
{
    int out[N], in[N];
    const int counts[2] = { 0, N };
    const MPI_Aint at[2] = { (MPI_Aint) 1 << 40, 0 };
    const MPI_Datatype sends[2] = { MPI_DOUBLE, MPI_INT }, recvs[2] = { MPI_CHAR, MPI_INT };

    for (int i = 0; i < N; i++)
        out[i] = value(rank, 1, i);
    call(form, out, counts, at, sends, in, at, recvs);
    for (int i = 0; i < N; i++)
        CHECK_INT(in[i], value(before, 1, i));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_ring();
    for (int form = 0; form < 3; form++) {
        types_differ(form);
        far(form);
        backwards(form);
        absolute(form);
        empty_edge(form);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
