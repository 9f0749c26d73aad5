/* handshake.c — every sleeping process is woken.
 *
 * Tokens wander at random between processes that do a little in between, so that the
 * next receiver may be spinning, on its way to sleep, or asleep. After a lost wake-up the sleeper
 * finds its message half a second later by itself: Starling counts the times that it found
 * something then, and STARLING_REPORT_MISSED_WAKEUPS=yes prints the count. No time is measured,
 * since on a busy machine a process may wait as long for a core. Usage: handshake [HOPS] */
#include <stdint.h>
#include "mpitest.h"

enum { TOKEN, STOP };

static int rank, size;
static uint64_t state;

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

static int receive(int *hops)
{
    MPI_Status st;

    MPI_Recv(hops, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
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
    MPI_Finalize();
    return 0;
}
