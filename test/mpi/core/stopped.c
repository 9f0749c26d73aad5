/* stopped.c — processes that share cores are stopped at any moment, for as long as several time
 * slices, while they copy much, compute unevenly and wait for each other: nothing is lost, and all
 * goes on. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "test_size.h"

enum { BLOCK = 32768, MS = 1000000, STOP_MS = 40 };

static int rank, size;
static _Atomic int *over; /* shared with the child */

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void pause_ms(int ms)
{
    const struct timespec t = { 0, (long) ms * MS };

    (void) nanosleep(&t, NULL);
}

/* A process that stops its parent again and again, and lets it go on each time. */
static void stop_parent(void)
{
    pid_t parent = getppid();
    unsigned seed = (unsigned) getpid();

    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (!*over) {
        pause_ms(20 + (int) (rand_r(&seed) % 200));
        (void) kill(parent, SIGSTOP);
        pause_ms(rand_r(&seed) % STOP_MS);
        (void) kill(parent, SIGCONT);
    }
    _exit(0);
}

static void compute(double seconds)
{
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
        ;
}

static void exchange(unsigned char *out, unsigned char *in, int round)
{
    memset(out, rank + round, (size_t) size * BLOCK);
    MPI_Alltoall(out, BLOCK, MPI_BYTE, in, BLOCK, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        check(in[i * BLOCK] == (unsigned char) (i + round)
                  && in[(i + 1) * BLOCK - 1] == (unsigned char) (i + round),
              "wrong bytes");
}

static void barriers_and_sums(int round)
{
    for (int i = 0; i < 20; i++) {
        int mine = rank + i, sum;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        check(sum == size * (size - 1) / 2 + size * i, "wrong sum");
    }
    if (round % size == rank)
        compute(0.003);
}

int main(int argc, char **argv)
{
    int go = 1;

    over = mmap(NULL, sizeof *over, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = over == MAP_FAILED ? -1 : fork();
    if (child == 0)
        stop_parent();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned char *out = malloc((size_t) size * BLOCK), *in = malloc((size_t) size * BLOCK);
    check(child > 0 && out && in, "no memory, or no process");
    double end = MPI_Wtime() + (test_size(150, 10000) * 1e-3);
    for (int round = 0; go; round++) {
        exchange(out, in, round);
        barriers_and_sums(round);
        go = MPI_Wtime() < end;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    free(out);
    free(in);
    *over = 1;
    check(waitpid(child, NULL, 0) == child, "no child");
    return MPI_Finalize();
}
