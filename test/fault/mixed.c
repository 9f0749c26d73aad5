/* mixed.c — messages of several devices at once, received from any source.
 *
 * Usage: mixed any     each process sends to all, sizes of every protocol; receives and
 *                      probes take any source
 *        mixed wake    process 0 waits for any source, thousands of times: the report of
 *                      STARLING_REPORT_SLEEPS shows whether a wake-up was lost */
#include <unistd.h>
#include "mpitest.h"

enum { ROUNDS = 60, WAKES = 400 };

static const int sizes[] = { 1, 8, 1000, 5000, 20000, 65000, 70000, 300000 };
enum { SIZES = sizeof sizes / sizeof *sizes, LARGEST = 300000 };

static int rank, size;

/* The first and the last byte hold the number of the round. */
static int length(int from, int to, int round)
{
    return sizes[(unsigned) (from * 5 + to * 3 + round * 7) % SIZES];
}

static void check_message(const char *buf, const MPI_Status *s, int *expected)
{
    int from = s->MPI_SOURCE, n, round = expected[from]++;

    MPI_Get_count(s, MPI_BYTE, &n);
    CHECK_INT(n, length(from, rank, round));
    CHECK_INT(buf[0], round);
    CHECK_INT(buf[n - 1], round);
}

/* Receives one message of this round, found in one of three ways. */
static void take_any(char *buf, int way, int round, int *expected)
{
    MPI_Status s;
    int found = way == 0;

    if (way == 1)
        MPI_Probe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &s);
    while (way == 2 && !found)
        MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &found, &s);
    MPI_Recv(buf, LARGEST, MPI_BYTE, way ? s.MPI_SOURCE : MPI_ANY_SOURCE, round, MPI_COMM_WORLD,
             &s);
    check_message(buf, &s, expected);
}

static void any(void)
{
    MPI_Request *r = mpitest_memory((size_t) size * sizeof *r);
    int *expected = calloc((size_t) size, sizeof *expected);
    char *in = mpitest_memory(LARGEST), *out = mpitest_memory(LARGEST);

    for (int round = 0; round < ROUNDS; round++) {
        memset(out, round, LARGEST);
        for (int to = 0; to < size; to++) /* also to itself */
            MPI_Isend(out, length(rank, to, round), MPI_BYTE, to, round, MPI_COMM_WORLD, &r[to]);
        for (int i = 0; i < size; i++)
            take_any(in, (i + round) % 3, round, expected);
        MPI_Waitall(size, r, MPI_STATUSES_IGNORE);
    }
    for (int from = 0; from < size; from++)
        CHECK_INT(expected[from], ROUNDS);
    free(r);
    free(expected);
    free(in);
    free(out);
}

static void answer(void)
{
    MPI_Status s;
    int x;

    for (int i = 0; i < WAKES * (size - 1); i++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
        MPI_Send(&x, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
}

static void ask(void)
{
    unsigned random = (unsigned) rank;
    int x;

    for (int i = 0; i < WAKES; i++) {
        random = random * 1103515245 + 12345;
        usleep(random >> 16 & 2047);
        MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_INT(x, i);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || strcmp(argv[1], "any") == 0)
        any();
    else if (rank == 0)
        answer();
    else
        ask();
    MPI_Finalize();
    return 0;
}
