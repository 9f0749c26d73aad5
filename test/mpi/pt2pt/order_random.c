/* order_random.c — P01: messages of random length and mode from each process to all, itself
 * included, some received by source and tag and some by wildcard, before and after they arrive: in
 * order for each pair. */
#include "pattern.h"

enum { ROUNDS = 4, MESSAGES = 60, LONGEST = 100000, TAGS = 3 };

static int rank, size;
static unsigned long long state;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int) ((state >> 33) % (unsigned) n);
}

static int length(void)
{
    static const int most[] = { 8, 64, 512, 5000, 20000, LONGEST };

    return 4 + below(most[below(6)] - 3);
}

static void start_send(char *buf, int n, int dest, MPI_Request *r)
{
    int len = length();

    *(int *) buf = n;
    if (below(4))
        MPI_Isend(buf, len, MPI_BYTE, dest, n % TAGS, MPI_COMM_WORLD, r);
    else
        MPI_Issend(buf, len, MPI_BYTE, dest, n % TAGS, MPI_COMM_WORLD, r);
}

/* The number of the next message of each source, of each tag: n, n + TAGS, ... */
static int (*next)[TAGS];

static void check(const char *buf, const MPI_Status *st)
{
    int *want = &next[st->MPI_SOURCE][st->MPI_TAG];

    CHECK_INT(*(const int *) buf, *want);
    *want += TAGS;
}

/* A few receives at a time, each of any source and tag: they match in the order of posting. */
static void receive_some(char *in, int n)
{
    MPI_Request r[4];
    MPI_Status st[4];

    for (int i = 0; i < n; i++)
        MPI_Irecv(in + i * LONGEST, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &r[i]);
    MPI_Waitall(n, r, st);
    for (int i = 0; i < n; i++)
        check(in + i * LONGEST, &st[i]);
}

/* Probes for any message, and receives it by its source and tag. */
static int receive_probed(char *in)
{
    MPI_Status probed, st;
    int flag;

    MPI_Iprobe(MPI_ANY_SOURCE, below(2) ? MPI_ANY_TAG : below(TAGS), MPI_COMM_WORLD, &flag,
               &probed);
    if (!flag)
        return 0;
    MPI_Recv(in, LONGEST, MPI_BYTE, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD, &st);
    check(in, &st);
    return 1;
}

static void run(void)
{
    int all = MESSAGES * size;
    MPI_Request *r = mpitest_memory((size_t) all * sizeof *r);
    char *out = malloc((size_t) all * LONGEST), *in = mpitest_memory(4 * LONGEST);

    CHECK(out);
    for (int source = 0; source < size; source++)
        for (int tag = 0; tag < TAGS; tag++)
            next[source][tag] = tag;
    for (int n = 0; n < MESSAGES; n++)
        for (int i = 0; i < size; i++)
            start_send(out + (size_t) (n * size + i) * LONGEST, n, (rank + i) % size,
                       &r[n * size + i]);
    for (int left = all; left > 0;) {
        int n = 1 + below(left < 4 ? left : 4);

        if (below(2))
            left -= receive_probed(in);
        else {
            receive_some(in, n);
            left -= n;
        }
    }
    MPI_Waitall(all, r, MPI_STATUSES_IGNORE);
    free(in);
    free(out);
    free(r);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = mpitest_memory((size_t) size * sizeof *next);
    for (int seed = 0; seed < ROUNDS; seed++) {
        state = (unsigned) (1000 * seed + rank + 1 + (argc > 1 ? atoi(argv[1]) : 0) * 77);
        run();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(next);
    MPI_Finalize();
    return 0;
}
