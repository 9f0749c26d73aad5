/* mixed.c — collective operations among other messages, and one right after the other.
 *
 * MPICH 4.0 fails: MPI_Alltoall of one process hangs while a receive from any source is pending. */
#include <time.h>
#include "affine.h"

enum { TAG = 3 };

/* C15: a receive from any source with any tag never takes a message of a collective operation. */
static void test_wildcards_pending(struct me m)
{
    int got = -1, token = m.rank, sum;
    int *all = ints(m.size * 500), *part = values(m.rank, m.size * 500, 1);
    int to = (m.rank + 1) % m.size, from = (m.rank - 1 + m.size) % m.size;
    MPI_Request r;
    MPI_Status status;

    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, m.comm, &r);
    MPI_Barrier(m.comm);
    MPI_Bcast(&token, 1, MPI_INT, 0, m.comm);
    CHECK_INT(token, 0);
    MPI_Allreduce(&m.rank, &sum, 1, MPI_INT, MPI_SUM, m.comm);
    CHECK_INT(sum, m.size * (m.size - 1) / 2);
    MPI_Allgather(part, 500, MPI_INT, all, 500, MPI_INT, m.comm);
    for (int i = 0; i < m.size; i++)
        check_values(all + i * 500, i, 500, 1);
    MPI_Alltoall(all, 20, MPI_INT, part, 20, MPI_INT, m.comm);
    MPI_Gather(part, 500, MPI_INT, all, 500, MPI_INT, m.size - 1, m.comm);
    CHECK_INT(got, -1);
    MPI_Barrier(m.comm); /* no process sends before */
    MPI_Send(&m.rank, 1, MPI_INT, to, TAG, m.comm);
    MPI_Waitall(1, &r, &status);
    CHECK_INT(got, from);
    free(part);
    free(all);
}

/* C15: no collective operation takes a message of the user, however early it arrives. */
static void test_messages_waiting(struct me m)
{
    int in = -1, sum, to = (m.rank + 1) % m.size, from = (m.rank - 1 + m.size) % m.size;
    MPI_Request r;
    MPI_Status status;

    for (int tag = 0; tag < 20; tag++) {
        MPI_Isend(&m.rank, 1, MPI_INT, to, tag, m.comm, &r);
        MPI_Allreduce(&tag, &sum, 1, MPI_INT, MPI_SUM, m.comm);
        CHECK_INT(sum, tag * m.size);
        MPI_Recv(&in, 1, MPI_INT, from, tag, m.comm, MPI_STATUS_IGNORE);
        CHECK_INT(in, from);
        MPI_Waitall(1, &r, &status);
    }
}

/* Some processes are ahead of others by several operations, with changing roots and sizes. */
static void test_one_behind_the_other(struct me m)
{
    struct timespec pause = { .tv_nsec = 300000 };
    int sum, v[700];

    for (int round = 0; round < 30; round++) {
        int root = round % m.size, n = round * 23 % 700;
        if (round % 7 == m.rank % 7)
            nanosleep(&pause, NULL);
        for (int i = 0; i < n; i++)
            v[i] = m.rank == root ? value(root, i, round) : -1;
        MPI_Bcast(v, n, MPI_INT, root, m.comm);
        check_values(v, root, n, round);
        MPI_Reduce(&round, &sum, 1, MPI_INT, MPI_SUM, root, m.comm);
        if (m.rank == root)
            CHECK_INT(sum, round * m.size);
        MPI_Reduce(&m.rank, &sum, 1, MPI_INT, MPI_MAX, (root + 1) % m.size, m.comm);
        if (m.rank == (root + 1) % m.size)
            CHECK_INT(sum, m.size - 1);
    }
}

/* Operations on a communicator and on its duplicate are not mixed up. */
static void test_two_communicators(struct me m)
{
    MPI_Comm dup;
    int a, b;

    MPI_Comm_dup(m.comm, &dup);
    for (int i = 0; i < 10; i++) {
        a = m.rank == 0 ? 100 + i : -1;
        b = m.rank == 0 ? 200 + i : -1;
        MPI_Bcast(&a, 1, MPI_INT, 0, m.comm);
        MPI_Bcast(&b, 1, MPI_INT, 0, dup);
        CHECK_INT(a, 100 + i);
        CHECK_INT(b, 200 + i);
    }
    MPI_Comm_free(&dup);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    test_wildcards_pending(m);
    test_messages_waiting(m);
    test_one_behind_the_other(m);
    test_two_communicators(m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
