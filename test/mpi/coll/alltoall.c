/* alltoall.c — MPI_Alltoall and MPI_Alltoallv: in place, gaps, derived types, unequal blocks. */
#include "coll_test.h"

/* Value i of the block from one rank to another. */
static int between(int from, int to, int i) { return value(from, i, to + 1); }

static int *outgoing(struct me m, int n)
{
    int *v = ints(m.size * n);

    for (int to = 0; to < m.size; to++)
        for (int i = 0; i < n; i++)
            v[to * n + i] = between(m.rank, to, i);
    return v;
}

static void check_incoming(const int *v, struct me m, int n)
{
    for (int from = 0; from < m.size; from++)
        for (int i = 0; i < n; i++)
            CHECK_INT(v[from * n + i], between(from, m.rank, i));
}

/* C01 */
static void test_alltoall(struct me m, int n)
{
    int *out = outgoing(m, n), *in = ints(m.size * n);

    CHECK(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, m.comm) == MPI_SUCCESS);
    check_incoming(in, m, n);
    MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, out, n, MPI_INT, m.comm);
    check_incoming(out, m, n);
    free(in);
    free(out);
}

static void test_types(struct me m, int n)
{
    MPI_Datatype vector = every_other(n);
    int *out = outgoing(m, n), room = m.size * 2 * n, *in = ints(room), step = 2 * n - 1;

    MPI_Alltoall(out, n, MPI_INT, in, 1, vector, m.comm);
    for (int from = 0; from < m.size; from++)
        for (int i = 0; i < n; i++)
            CHECK_INT(in[from * step + 2 * i], between(from, m.rank, i));
    for (int to = 0; to < m.size; to++) /* in now holds vectors to send */
        for (int i = 0; i < n; i++)
            in[to * step + 2 * i] = between(m.rank, to, i);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in, 1, vector, m.comm);
    for (int from = 0; from < m.size; from++)
        for (int i = 0; i < n; i++)
            CHECK_INT(in[from * step + 2 * i], between(from, m.rank, i));
    for (int i = 0; i < n - 1; i++)
        check_untouched(in + 2 * i + 1, 1);
    MPI_Type_free(&vector);
    free(in);
    free(out);
}

/* Ints that go from one rank to another. same: as many as go the other way. */
static int amount(int from, int to, int unit, int same)
{
    return same ? (from + to) % 4 * unit + (from * to) % 2 : (from + 2 * to) % 4 * unit + from % 2;
}

struct v { /* blocks for or from each rank */
    int *lens, *displs, room;
};

static struct v blocks(struct me m, int unit, int same, int incoming)
{
    struct v b = { ints(m.size), ints(m.size), 0 };

    for (int i = m.size - 1; i >= 0; i--) {
        b.lens[i] = incoming ? amount(i, m.rank, unit, same) : amount(m.rank, i, unit, same);
        b.displs[i] = b.room + 1;
        b.room += b.lens[i] + 1;
    }
    return b;
}

static void check_blocks(const int *v, struct v b, struct me m)
{
    for (int from = 0; from < m.size; from++) {
        for (int i = 0; i < b.lens[from]; i++)
            CHECK_INT(v[b.displs[from] + i], between(from, m.rank, i));
        check_untouched(v + b.displs[from] - 1, 1);
    }
}

/* C01, C03: with MPI_IN_PLACE the send arguments are not looked at. */
static void test_alltoallv(struct me m, int unit, int in_place)
{
    struct v to = blocks(m, unit, in_place, 0), from = blocks(m, unit, in_place, 1);
    int *out = ints(to.room), *in = ints(from.room), *first = in_place ? in : out;

    for (int r = 0; r < m.size; r++)
        for (int i = 0; i < to.lens[r]; i++)
            first[to.displs[r] + i] = between(m.rank, r, i);
    if (in_place)
        CHECK(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, from.lens, from.displs,
                            MPI_INT, m.comm)
              == MPI_SUCCESS);
    else
        CHECK(MPI_Alltoallv(out, to.lens, to.displs, MPI_INT, in, from.lens, from.displs, MPI_INT,
                            m.comm)
              == MPI_SUCCESS);
    check_blocks(in, from, m);
    free(in);
    free(out);
    free(from.displs);
    free(from.lens);
    free(to.displs);
    free(to.lens);
}

/* One element with gaps from each rank that is not the last one, which sends plain ints: blocks
 * that another process could read where they are, and others that it could not. */
static void test_gaps(struct me m, int n)
{
    MPI_Datatype vector = every_other(n);
    int step = 2 * n - 1, plain = m.rank == m.size - 1, *out = ints(m.size * 2 * n);
    int *in = ints(m.size * n), *send = ints(m.size), *recv = ints(m.size), *at = ints(m.size),
        *to = ints(m.size);

    for (int r = 0; r < m.size; r++) {
        send[r] = plain ? n : 1;
        to[r] = plain ? r * n : r;
        recv[r] = n;
        at[r] = r * n;
        for (int i = 0; i < n; i++)
            out[plain ? r * n + i : r * step + 2 * i] = between(m.rank, r, i);
    }
    MPI_Alltoallv(out, send, to, plain ? MPI_INT : vector, in, recv, at, MPI_INT, m.comm);
    check_incoming(in, m, n);
    MPI_Type_free(&vector);
    free(to);
    free(at);
    free(recv);
    free(send);
    free(in);
    free(out);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    for (int c = 0; c < COUNTS - 1; c++)
        test_alltoall(m, counts[c]);
    test_alltoall(m, 20000);
    test_types(m, 1);
    test_types(m, 50);
    test_types(m, 6000);
    for (int in_place = 0; in_place < 2; in_place++) {
        test_alltoallv(m, 0, in_place);
        test_alltoallv(m, 5, in_place);
        test_alltoallv(m, 9000, in_place);
    }
    test_gaps(m, 5);
    test_gaps(m, 20000);
    CHECK(MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm) == MPI_SUCCESS); /* C12 */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
