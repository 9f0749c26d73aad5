/* same_core.c — two processes that the kernel has put on one core move apart, each time, and
 * without being bound, although a program of another user keeps the other core busy. Only for
 * Starling: with other libraries a waiting process keeps the core that the other one needs, or is
 * bound. */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "mpitest.h"

enum { TIMES = 5, MESSAGES = 20000 };

/* Moves to one of the allowed cores, and may then move on to any other. */
static void go_to(int cpu, const cpu_set_t *allowed)
{
    cpu_set_t there;

    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    CHECK(!sched_setaffinity(0, sizeof there, &there));
    CHECK(!sched_setaffinity(0, sizeof *allowed, allowed));
}

/* A child that keeps a core busy while this process lives. */
static pid_t hog(int cpu)
{
    cpu_set_t there;
    pid_t child = fork();

    if (child)
        return child;
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    if (sched_setaffinity(0, sizeof there, &there) || getppid() == 1)
        _exit(1);
    for (volatile unsigned long turns = 0;; turns++)
        ;
}

/* True once a message is found to have come from another core. */
static bool part(int rank, int messages)
{
    for (int i = 0; i < messages; i++) {
        int cpu = sched_getcpu(), from;
        MPI_Sendrecv(&cpu, 1, MPI_INT, 1 - rank, 0, &from, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        int apart = cpu != from && sched_getcpu() == cpu, both;
        MPI_Allreduce(&apart, &both, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (both)
            return true;
    }
    return false;
}

static int next_core(const cpu_set_t *allowed, int after)
{
    do
        after++;
    while (!CPU_ISSET(after, allowed));
    return after;
}

int main(int argc, char **argv)
{
    cpu_set_t allowed, now;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(!sched_getaffinity(0, sizeof allowed, &allowed));
    if (CPU_COUNT(&allowed) == 2) { /* on more, all but one would have to be busy */
        int first = next_core(&allowed, -1);
        pid_t child = rank == 0 ? hog(next_core(&allowed, first)) : 0;
        for (int i = 0; i < TIMES; i++) {
            go_to(first, &allowed);
            CHECK(part(rank, MESSAGES));
            CHECK(!sched_getaffinity(0, sizeof now, &now) && CPU_EQUAL(&now, &allowed));
        }
        if (child)
            (void) kill(child, SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
