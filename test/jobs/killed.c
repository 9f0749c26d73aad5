/* killed.c — a job that connects with another one and leaves it, again and again, until a process
 * of the other one dies: it gets errors, and nothing is left.
 *
 * killed MICROSECONDS: the last process of job 1 dies so long after it has connected for the first
 * time. JOBS_SIDE and JOBS_NAME are as for world.c. */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include "abstract.h"
#include "held.h"
#include "mpitest.h"
#include "world.h"

enum { ROUNDS = 1000, PATIENCE_MS = 5000, LARGE = 100000 };
enum { SLEEPERS = 2 }; /* descriptors that a process gets when it sleeps for the first time */

static int listener = -1, side;
static char data[2 * LARGE];

/* A socket to the other job; -1: it is no more. */
static int meet_other(void)
{
    struct pollfd p = { .fd = listener, .events = POLLIN };

    if (listener < 0)
        return abstract_connect(getenv("JOBS_NAME"));
    return poll(&p, 1, PATIENCE_MS) == 1 ? accept(listener, NULL, NULL) : -1;
}

/* The same in all processes of the job. */
static bool connect_jobs(MPI_Comm *inter)
{
    char why[MPI_MAX_ERROR_STRING];
    int rank, s = -1, found = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        found = (s = meet_other()) >= 0;
    MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!found)
        return false;
    int err = world_connect(MPI_COMM_WORLD, s, inter, why);
    if (s >= 0)
        (void) close(s);
    return !err;
}

/* With each process of the other group; true when no error was seen. */
static bool talk(MPI_Comm inter)
{
    int size, err = MPI_SUCCESS;

    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm_remote_size(inter, &size);
    for (int i = 0; i < size && !err; i++)
        err = MPI_Sendrecv(data, LARGE, MPI_CHAR, i, 2, data + LARGE, LARGE, MPI_CHAR, i, 2, inter,
                           MPI_STATUS_IGNORE);
    return !err;
}

/* The same of collective operations, through shared memory where there is some. */
static bool talk_all(MPI_Comm inter)
{
    int err, rank, sum;
    MPI_Comm all;

    if (MPI_Intercomm_merge(inter, side, &all))
        return false;
    MPI_Comm_rank(all, &rank);
    err = MPI_Barrier(all);
    for (int i = 0; i < 3 && !err; i++)
        err = MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    if (!err)
        err = MPI_Bcast(data, LARGE, MPI_CHAR, 0, all);
    return world_disconnect(&all) == MPI_SUCCESS && !err;
}

static bool one_round(void)
{
    MPI_Comm inter;

    if (!connect_jobs(&inter))
        return false;
    bool talked = talk(inter) && talk_all(inter);
    return world_disconnect(&inter) == MPI_SUCCESS && talked;
}

/* Whatever error which process has seen, all go on together, and the last connection is gone. */
static void survive(void)
{
    int fds = -1, maps = -1, sum = 0, one = 1, size;
    double end;

    for (int i = 0; i < ROUNDS; i++) {
        int went = one_round(), all;
        MPI_Allreduce(&went, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (!all)
            break;
        CHECK(i < ROUNDS - 1);
        fds = held_fds() + SLEEPERS > fds ? held_fds() + SLEEPERS : fds;
        maps = held_maps("memfd");
    }
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_INT(sum, size);
    end = MPI_Wtime() + 5;
    for (int flag; fds >= 0 && held_fds() > fds && MPI_Wtime() < end;)
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    CHECK(fds < 0 || held_fds() <= fds);
    CHECK(maps < 0 || held_maps("memfd") <= maps);
}

int main(int argc, char **argv)
{
    long us = argc > 1 ? atol(argv[1]) : 10000;
    const struct itimerval fatal = { .it_value = { us / 1000000, us % 1000000 } };
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    side = atoi(getenv("JOBS_SIDE"));
    if (side == 0) {
        if (rank == 0)
            listener = abstract_listen(getenv("JOBS_NAME"), 1);
        survive();
    } else {
        CHECK(one_round());
        if (rank == size - 1)
            CHECK(!setitimer(ITIMER_REAL, &fatal, NULL));
        for (;;)
            CHECK(one_round());
    }
    MPI_Finalize();
    return 0;
}
