/* neighbor.c — T08, T09: a block that is sent to a neighbor arrives where the standard says.
 *
 * MPICH 4.0 fails: it confuses the two sides of a periodic dimension of 1 or 2 processes, and
 * wants buffers where there is no neighbor. */
#include "coll_test.h"

enum { N = 3, SLOTS = 64 };

struct blocks { /* N ints for each neighbor, with one more int on either side */
    int out[N * SLOTS], in[N * (SLOTS + 2)];
};

/* Value i of the block b of a rank. */
static int item(int rank, int b, int i) { return value(rank, b * N + i, 5); }

static void prepare(struct blocks *x, int rank)
{
    memset(x, 0xa5, sizeof *x);
    for (int b = 0; b < SLOTS; b++)
        for (int i = 0; i < N; i++)
            x->out[b * N + i] = item(rank, b, i);
}

/* from[s] is the rank whose block[s] arrives in slot s; MPI_PROC_NULL: no block arrives. */
static void check_slots(const struct blocks *x, int n, const int *from, const int *block)
{
    check_untouched(x->in, N);
    for (int s = 0; s < n; s++)
        for (int i = 0; i < N; i++) {
            int got = x->in[N + s * N + i];
            if (from[s] == MPI_PROC_NULL)
                check_untouched(&got, 1);
            else
                CHECK_INT(got, item(from[s], block[s], i));
        }
    check_untouched(x->in + N + n * N, N);
}

/* All five operations. block[s] is 0 for operations that send the same block to all. */
static void exchange(MPI_Comm comm, int ins, int outs, const int *from, const int *block)
{
    static struct blocks x;
    int rank, zero[SLOTS] = { 0 }, lens[SLOTS], displs[SLOTS];
    MPI_Aint bytes[SLOTS];
    MPI_Datatype types[SLOTS];

    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < SLOTS; i++) {
        lens[i] = N;
        displs[i] = i * N;
        bytes[i] = i * N * (MPI_Aint) sizeof(int);
        types[i] = MPI_INT;
    }
    CHECK(ins <= SLOTS && outs <= SLOTS);
    prepare(&x, rank);
    MPI_Neighbor_allgather(x.out, N, MPI_INT, x.in + N, N, MPI_INT, comm);
    check_slots(&x, ins, from, zero);
    prepare(&x, rank);
    MPI_Neighbor_allgatherv(x.out, N, MPI_INT, x.in + N, lens, displs, MPI_INT, comm);
    check_slots(&x, ins, from, zero);
    prepare(&x, rank);
    MPI_Neighbor_alltoall(x.out, N, MPI_INT, x.in + N, N, MPI_INT, comm);
    check_slots(&x, ins, from, block);
    prepare(&x, rank);
    MPI_Neighbor_alltoallv(x.out, lens, displs, MPI_INT, x.in + N, lens, displs, MPI_INT, comm);
    check_slots(&x, ins, from, block);
    prepare(&x, rank);
    MPI_Neighbor_alltoallw(x.out, lens, bytes, types, x.in + N, lens, bytes, types, comm);
    check_slots(&x, ins, from, block);
}

/* Each dimension has the negative neighbor, then the positive one. */
static void test_cart(int n, const int *dims, const int *periods)
{
    int from[2 * 3] = { 0 }, block[2 * 3] = { 0 };
    MPI_Comm comm;

    MPI_Cart_create(MPI_COMM_WORLD, n, dims, periods, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    for (int d = 0; d < n; d++) {
        MPI_Cart_shift(comm, d, 1, &from[2 * d], &from[2 * d + 1]);
        block[2 * d] = 2 * d + 1;
        block[2 * d + 1] = 2 * d;
    }
    exchange(comm, 2 * n, 2 * n, from, block);
    MPI_Comm_free(&comm);
}

static void test_carts(int size)
{
    for (int periodic = 0; periodic < 8; periodic++) {
        int periods[3] = { periodic & 1, periodic >> 1 & 1, periodic >> 2 };
        test_cart(1, (int[]) { size }, periods);
        test_cart(1, (int[]) { 1 }, periods);
        test_cart(2, (int[]) { 1, size }, periods);
        if (size >= 2)
            test_cart(2, (int[]) { 2, size / 2 }, periods);
        if (size >= 4)
            test_cart(3, (int[]) { 2, 1, size / 2 }, periods);
        if (size >= 8)
            test_cart(3, (int[]) { 2, 2, 2 }, periods);
    }
    test_cart(0, NULL, NULL);
}

/* Three edges to the right neighbor and two to the process itself: a block that is sent by the
 * k-th of them arrives by the k-th of the receiver's. */
static void test_many_edges(struct me m)
{
    int right = (m.rank + 1) % m.size, left = (m.rank + m.size - 1) % m.size;
    int to[] = { right, m.rank, right, m.rank, right };
    int from[] = { m.rank, left, left, m.rank, left }, block[] = { 1, 0, 2, 3, 4 };
    MPI_Comm comm;

    if (m.size == 1) /* then all edges lead to the process itself */
        for (int i = 0; i < 5; i++)
            block[i] = i;
    MPI_Dist_graph_create_adjacent(m.comm, 5, from, MPI_UNWEIGHTED, 5, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    exchange(comm, 5, 5, from, block);
    MPI_Comm_free(&comm);
}

/* All send to rank 0, which sends to no process. */
static void test_one_way(struct me m)
{
    int from[SLOTS] = { 0 }, block[SLOTS] = { 0 }, to = 0, ins = m.rank == 0 ? m.size - 1 : 0;
    MPI_Comm comm;

    for (int i = 0; i < ins; i++)
        from[i] = m.size - 1 - i;
    MPI_Dist_graph_create_adjacent(m.comm, ins, from, MPI_UNWEIGHTED, m.rank > 0, &to,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    exchange(comm, ins, m.rank > 0, from, block);
    MPI_Comm_free(&comm);
}

/* Half of the processes send to the other half and have no receive buffer; or there is no edge
 * at all. */
static void test_no_buffers(struct me m, int edges)
{
    int pair = m.rank ^ 1, out[N], in[N], lens = N, zero = 0;
    int some = edges && pair < m.size, takes = some && m.rank % 2, gives = some && !takes;
    const void *from = gives ? out : NULL;
    void *to = takes ? in : NULL;
    MPI_Comm comm;

    for (int i = 0; i < N; i++)
        out[i] = item(m.rank, 0, i);
    MPI_Dist_graph_create_adjacent(m.comm, takes, &pair, MPI_UNWEIGHTED, gives, &pair,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    MPI_Neighbor_allgather(from, N, MPI_INT, to, N, MPI_INT, comm);
    MPI_Neighbor_alltoall(from, N, MPI_INT, to, N, MPI_INT, comm);
    MPI_Neighbor_allgatherv(from, N, MPI_INT, to, takes ? &lens : NULL, takes ? &zero : NULL,
                            MPI_INT, comm);
    for (int i = 0; i < N && takes; i++)
        CHECK_INT(in[i], item(pair, 0, i));
    MPI_Comm_free(&comm);
}

/* A star, made by MPI_Graph_create. */
static void test_graph(struct me m)
{
    int *index = ints(m.size), *edges = ints(2 * m.size), from[SLOTS], block[SLOTS];
    int n = m.rank == 0 ? m.size - 1 : 1;
    MPI_Comm comm;

    for (int i = 0; i < m.size; i++) {
        index[i] = m.size - 1 + i;
        edges[i] = i + 1;
    }
    for (int i = 1; i < m.size; i++)
        edges[m.size - 2 + i] = 0;
    for (int i = 0; i < n; i++) {
        from[i] = m.rank == 0 ? i + 1 : 0;
        block[i] = m.rank == 0 ? 0 : m.rank - 1;
    }
    MPI_Graph_create(m.comm, m.size, index, edges, 0, &comm);
    exchange(comm, m.size > 1 ? n : 0, m.size > 1 ? n : 0, from, block);
    MPI_Comm_free(&comm);
    free(index);
    free(edges);
}

/* Displacements of MPI_Neighbor_alltoallw are addresses, larger than any int. */
static void test_addresses(struct me m)
{
    int periodic = 1, *a = ints(N), *b = ints(N), *c = ints(N), *d = ints(N), lens[] = { N, N };
    MPI_Aint to[2], from[2];
    MPI_Datatype types[2] = { MPI_INT, MPI_INT };
    MPI_Comm comm;
    MPI_Request r;

    MPI_Cart_create(m.comm, 1, &m.size, &periodic, 0, &comm);
    for (int i = 0; i < N; i++) {
        a[i] = item(m.rank, 0, i);
        b[i] = item(m.rank, 1, i);
    }
    MPI_Get_address(a, &to[0]);
    MPI_Get_address(b, &to[1]);
    MPI_Get_address(c, &from[0]);
    MPI_Get_address(d, &from[1]);
    MPI_Ineighbor_alltoallw(MPI_BOTTOM, lens, to, types, MPI_BOTTOM, lens, from, types, comm, &r);
    MPI_Barrier(comm); /* T09 */
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) {
        CHECK_INT(c[i], item((m.rank + m.size - 1) % m.size, 1, i));
        CHECK_INT(d[i], item((m.rank + 1) % m.size, 0, i));
    }
    MPI_Comm_free(&comm);
    free(a);
    free(b);
    free(c);
    free(d);
}

enum { EDGES = 200, STEP = 4 }; /* ints of a block with the gap behind it */

static void check_edges(const int *in, const int *out)
{
    for (int i = 0; i < EDGES * STEP; i++) {
        int kind = i / STEP % 3, at = i % STEP;
        if (kind == 2 ? at == 0 || at == 2 : at <= kind)
            CHECK_INT(in[i], out[i]);
        else
            check_untouched(in + i, 1);
    }
}

/* More blocks than the library has room for without allocating, of types by turns, which are freed
 * as soon as the operation has begun. */
static void test_types_by_turns(struct me m)
{
    int ranks[EDGES], ones[EDGES], out[EDGES * STEP];
    MPI_Datatype kinds[3] = { MPI_INT }, types[EDGES];
    MPI_Request r[2];
    MPI_Aint at[EDGES];
    MPI_Comm comm;

    MPI_Type_contiguous(2, MPI_INT, &kinds[1]);
    MPI_Type_vector(2, 1, 2, MPI_INT, &kinds[2]);
    MPI_Type_commit(&kinds[1]);
    MPI_Type_commit(&kinds[2]);
    for (int i = 0; i < EDGES; i++) {
        ranks[i] = m.rank;
        ones[i] = 1;
        at[i] = i * STEP * (int) sizeof(int);
        types[i] = kinds[i % 3];
    }
    for (int i = 0; i < EDGES * STEP; i++)
        out[i] = item(m.rank, 0, i);
    int *in[3] = { ints(EDGES * STEP), ints(EDGES * STEP), ints(EDGES * STEP) };
    MPI_Dist_graph_create_adjacent(m.comm, EDGES, ranks, MPI_UNWEIGHTED, EDGES, ranks,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    MPI_Neighbor_alltoallw(out, ones, at, types, in[0], ones, at, types, comm);
    MPI_Ineighbor_alltoallw(out, ones, at, types, in[1], ones, at, types, comm, &r[0]);
    MPI_Neighbor_alltoallw_init(out, ones, at, types, in[2], ones, at, types, comm, MPI_INFO_NULL,
                                &r[1]);
    MPI_Type_free(&kinds[1]);
    MPI_Type_free(&kinds[2]);
    MPI_Start(&r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[1]);
    for (int i = 0; i < 3; i++) {
        check_edges(in[i], out);
        free(in[i]);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    test_carts(m.size);
    test_many_edges(m);
    test_one_way(m);
    test_no_buffers(m, 1);
    test_no_buffers(m, 0);
    test_graph(m);
    test_addresses(m);
    test_types_by_turns(m);
    MPI_Finalize();
    return 0;
}
