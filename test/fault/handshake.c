/* handshake.c — nobody who sleeps is forgotten.
 *
 * Tokens wander at random between processes that do a little in between, so that whoever receives
 * next may be spinning, on its way to sleep, or asleep. A wake-up that is lost shows as a wait of
 * half a second, when the sleeper looks by itself. On a busy machine a process may also wait that
 * long for a core, and all tokens with it: that does not count, and the kernel tells it.
 * Usage: handshake [HOPS] */
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#include "mpitest.h"

enum { TOKEN, STOP };

static int rank, size;
static uint64_t state;
static struct wait { /* of more than 400 ms: which, how long, and when in seconds */
    int receive;
    double ms, at;
} stall;
static int received, stalls;
static double start, starved_ms; /* the longest without a core between two messages */

static uint32_t random_below(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t) ((state >> 33) * below >> 31);
}

/* Often less than a waiter spins, sometimes more, seldom much more. */
static void do_something(void)
{
    uint32_t kind = random_below(100);
    double us = kind < 40 ? 0 : kind < 90 ? random_below(60) : kind < 99 ? 100 : 400;
    double end = MPI_Wtime() + us * 1e-6;

    while (MPI_Wtime() < end)
        ;
}

/* How long this process has been ready to run but did not, in all; 0 where it is not told. */
static double without_a_core_ms(void)
{
    static int fd;
    char text[80] = "", *second;

    if (!fd)
        fd = open("/proc/self/schedstat", O_RDONLY);
    if (fd < 0 || pread(fd, text, sizeof text - 1, 0) <= 0 || !(second = strchr(text, ' ')))
        return 0;
    return (double) strtoull(second, NULL, 10) * 1e-6;
}

static void note_starvation(void)
{
    static double before;
    double now = without_a_core_ms(), more = now - before;

    starved_ms = before > 0 && more > starved_ms ? more : starved_ms;
    before = now;
}

static int receive(int *hops)
{
    MPI_Status st;
    double begin = MPI_Wtime(), took;

    MPI_Recv(hops, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
    took = MPI_Wtime() - begin;
    received++;
    note_starvation();
    if (took > 0.4 && stalls++ == 0)
        stall = (struct wait) { received, took * 1e3, begin - start };
    return st.MPI_TAG;
}

static void pass_on(int hops)
{
    int to = hops ? (int) random_below((uint32_t) size) : 0;

    MPI_Send(&hops, 1, MPI_INT, to, TOKEN, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int hops, tokens, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = (uint64_t) rank * 7919 + 1;
    tokens = (size + 1) / 2;
    total = argc > 1 ? atoi(argv[1]) : 100000;
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int i = 0; rank == 0 && i < tokens; i++)
        pass_on(total / tokens);
    for (int left = tokens; left > 0;) {
        if (receive(&hops) == STOP)
            break;
        do_something();
        if (hops > 0)
            pass_on(hops - 1);
        else if (--left == 0) /* only rank 0 gets these */
            for (int i = 1; i < size; i++)
                MPI_Send(&hops, 1, MPI_INT, i, STOP, MPI_COMM_WORLD);
    }
    MPI_Allreduce(MPI_IN_PLACE, &starved_ms, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    stalls = starved_ms > 200 ? 0 : stalls;
    if (stalls)
        fprintf(stderr,
                "rank %d: %d waits of more than 400 ms, the first, for message %d of %d, "
                "of %.0f ms after %.3f s\n",
                rank, stalls, stall.receive, received, stall.ms, stall.at);
    MPI_Finalize();
    return stalls > 0;
}
