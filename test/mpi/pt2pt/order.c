/* order.c — P01: messages that match the same receive are taken in the order they were sent, and
 * receives that match the same message get it in the order they were posted. */
#include "pattern.h"

enum { MESSAGES = 40, LONGEST = 200000, TAG = 3 };

static int rank, size;
static char *out, *in;
static int *expected; /* by source: the number of its next message */

/* Short, long and empty messages, each with its number, so that each protocol follows each
 * other. */
static int length(int source, int n)
{
    static const int lengths[] = { 4, 70000, 8, 2000, LONGEST, 64, 20000, 4, 9000 };

    return lengths[(n * 5 + source + n / 7) % 9];
}

/* Sends all messages to rank 0; the caller waits for them. */
static void send_all(MPI_Request *request)
{
    for (int n = 0; n < MESSAGES; n++) {
        char *message = out + (size_t) n * LONGEST;

        *(int *) message = n;
        MPI_Isend(message, length(rank, n), MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request[n]);
    }
}

static void check_next(const char *message, const MPI_Status *status)
{
    int count, source = status->MPI_SOURCE;

    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK_INT(*(const int *) message, expected[source]);
    CHECK_INT(count, length(source, expected[source]));
    CHECK_INT(status->MPI_TAG, TAG);
    expected[source]++;
}

static void by_wildcard(void)
{
    MPI_Status status;

    for (int i = 0; i < size * MESSAGES; i++) {
        MPI_Recv(in, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, i % 2 ? TAG : MPI_ANY_TAG, MPI_COMM_WORLD,
                 &status);
        check_next(in, &status);
    }
}

/* Wildcards and named sources by turns. */
static void by_turns(void)
{
    MPI_Status status;

    for (int i = 0; i < MESSAGES; i++)
        for (int source = 0; source < size; source++) {
            MPI_Recv(in, LONGEST, MPI_BYTE, source, i % 2 ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD,
                     &status);
            CHECK_INT(status.MPI_SOURCE, source);
            check_next(in, &status);
        }
}

static void by_probe(void)
{
    for (int i = 0; i < size * MESSAGES; i++) {
        MPI_Status probed, status;
        int count;

        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &probed);
        MPI_Get_count(&probed, MPI_BYTE, &count);
        MPI_Recv(in, count, MPI_BYTE, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD, &status);
        CHECK_INT(status.MPI_SOURCE, probed.MPI_SOURCE);
        check_next(in, &status);
    }
}

/* The receives are posted before the messages; of each source the first posted gets the first. */
static void by_posted(MPI_Request *sends)
{
    int n = rank == 0 ? size * MESSAGES : 0;
    MPI_Request *request = mpitest_memory((size_t) n * sizeof *request);
    /* not filled: memory is touched only where used */
    char *all = malloc((size_t) n * LONGEST + 1);

    CHECK(all);
    for (int i = 0; i < n; i++)
        MPI_Irecv(all + (size_t) i * LONGEST, LONGEST, MPI_BYTE, MPI_ANY_SOURCE,
                  i % 3 ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD, &request[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    send_all(sends);
    for (int i = 0; i < n; i++) {
        MPI_Status status;

        MPI_Wait(&request[i], &status);
        check_next(all + (size_t) i * LONGEST, &status);
    }
    free(all);
    free(request);
}

static void run(void (*receive)(void))
{
    MPI_Request sends[MESSAGES];

    for (int i = 0; i < size; i++)
        expected[i] = 0;
    if (receive)
        send_all(sends);
    else
        by_posted(sends);
    if (receive && rank == 0)
        receive();
    MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Two receives match the message: the one posted first gets it. */
static void two_receives(void)
{
    int got[2] = { -1, -1 }, value[2] = { 10, 11 };
    MPI_Request request[2], sends[2];

    MPI_Irecv(&got[0], 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 2; i++)
        MPI_Isend(&value[i], 1, MPI_INT, rank, 8, MPI_COMM_WORLD, &sends[i]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    CHECK_INT(got[0], 10);
    CHECK_INT(got[1], 11);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = mpitest_memory((size_t) MESSAGES * LONGEST);
    in = mpitest_memory(LONGEST);
    expected = mpitest_memory((size_t) size * sizeof *expected);
    run(by_wildcard);
    run(by_turns);
    run(by_probe);
    run(NULL);
    two_receives();
    free(expected);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
