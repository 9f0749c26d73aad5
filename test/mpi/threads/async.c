/* async.c — with asynchronous progress a large message is received while the program computes, and
 * no other thread need call MPI. Only for Starling: with STARLING_ASYNC_PROGRESS.
 *
 * The sender, on the same host, sends a signal when its synchronous send is complete, so that the
 * receiver can wait for that without MPI. */
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "threads.h"

enum { LEN = 16 << 20 };

static sigset_t signals;

/* Computes without MPI until the signal has come. */
static void compute(void)
{
    const struct timespec now = { 0, 0 };
    volatile double x = 1;

    while (sigtimedwait(&signals, NULL, &now) != SIGUSR1)
        for (int i = 0; i < 1000; i++)
            x = x * 0.999 + 0.001;
}

static void receive(int from)
{
    int pid = getpid();
    char *in = mpitest_memory(LEN);
    MPI_Request r;

    MPI_Irecv(in, LEN, MPI_BYTE, from, 0, MPI_COMM_WORLD, &r);
    MPI_Send(&pid, 1, MPI_INT, from, 0, MPI_COMM_WORLD);
    compute();
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = 0; i < LEN; i += 4096)
        CHECK_INT(in[i], from + 1);
    free(in);
}

static void send(int to)
{
    int pid;
    char *out = mpitest_memory(LEN);

    memset(out, to == 0 ? 2 : 1, LEN);
    MPI_Recv(&pid, 1, MPI_INT, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ssend(out, LEN, MPI_BYTE, to, 0, MPI_COMM_WORLD);
    CHECK(!kill(pid, SIGUSR1));
    free(out);
}

int main(int argc, char **argv)
{
    int rank, size;

    (void) sigemptyset(&signals);
    (void) sigaddset(&signals, SIGUSR1);
    (void) pthread_sigmask(SIG_BLOCK, &signals, NULL); /* in the library's thread, too */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_INT(size, 2);
    for (int receiver = 0; receiver < 2; receiver++)
        if (rank == receiver)
            receive(1 - rank);
        else
            send(1 - rank);
    MPI_Finalize();
    return 0;
}
