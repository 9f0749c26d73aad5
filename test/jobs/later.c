/* later.c — processes of a job that come to know another one later: job 0 connects with job 1 first
 * by its process 0, then by the others, and then all talk with all. The environment is as that of
 * world.c. */
#include <stdbool.h>
#include <stdlib.h>
#include "mpitest.h"
#include "world.h"

/* Each process exchanges a number with each of the other group. */
static void talk(MPI_Comm inter, int number)
{
    int size;

    MPI_Comm_remote_size(inter, &size);
    for (int i = 0; i < size; i++) {
        int got = -1;
        MPI_Sendrecv(&number, 1, MPI_INT, i, 1, &got, 1, MPI_INT, i, 1, inter, MPI_STATUS_IGNORE);
        CHECK_INT(got, number);
    }
}

/* The processes of both jobs: bridge has process 0 of job 0 and, behind it, job 1. */
static void talk_all(MPI_Comm bridge, bool first)
{
    MPI_Comm all;

    MPI_Intercomm_create(MPI_COMM_WORLD, 0, bridge, first, 1, &all);
    talk(all, 3);
    MPI_Comm_free(&all);
}

/* Connects some processes of this job with those of the other one. */
static MPI_Comm meet(MPI_Comm comm, int guest, bool first)
{
    MPI_Comm inter = world_meet(comm, guest, first), merged;

    talk(inter, guest);
    MPI_Intercomm_merge(inter, !first, &merged);
    MPI_Comm_free(&inter);
    return merged;
}

int main(int argc, char **argv)
{
    MPI_Comm part, met[2] = { MPI_COMM_NULL, MPI_COMM_NULL };
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool first = atoi(getenv("JOBS_SIDE")) == 0;
    MPI_Comm_split(MPI_COMM_WORLD, first && rank > 0, rank, &part);
    for (int i = 0; i < 2; i++) {
        if (!first || (rank > 0) == i)
            met[i] = meet(part, i + 1, first);
        MPI_Barrier(MPI_COMM_WORLD); /* the second part does not know the other job before */
    }
    talk_all(met[0], first);
    for (int i = 0; i < 2; i++)
        if (met[i] != MPI_COMM_NULL)
            MPI_Comm_free(&met[i]);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
