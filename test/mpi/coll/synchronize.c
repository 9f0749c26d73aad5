/* synchronize.c — C17, C02: no process leaves a barrier of any form before all have entered it;
 * between two groups, before all of the other group have.
 *
 * All processes must run on one host, because they compare its clock. */
#include <time.h>
#include "coll_test.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* form: 0 blocking, 1 nonblocking and waited for, 2 nonblocking and tested, 3 persistent. */
static void enter(MPI_Comm comm, int form, MPI_Request *persistent)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int done = 0;

    if (form == 0)
        CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
    else if (form == 3)
        CHECK(MPI_Start(persistent) == MPI_SUCCESS);
    else
        CHECK(MPI_Ibarrier(comm, &r) == MPI_SUCCESS);
    if (form == 2)
        while (!done)
            MPI_Test(&r, &done, MPI_STATUS_IGNORE);
    CHECK(MPI_Wait(form == 3 ? persistent : &r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

/* late: the rank in MPI_COMM_WORLD of the process that is late. */
static void test_late(MPI_Comm comm, int late, int form, int remote_only, MPI_Request *persistent)
{
    struct timespec pause = { .tv_nsec = 3000000 };
    struct me world = whoami(MPI_COMM_WORLD);
    double entered, left, last = 0;

    if (world.rank == late)
        nanosleep(&pause, NULL);
    entered = now();
    enter(comm, form, persistent);
    left = now();
    MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, remote_only ? comm : MPI_COMM_WORLD);
    CHECK(left >= last);
}

static void test(MPI_Comm comm, int remote_only)
{
    struct me world = whoami(MPI_COMM_WORLD);
    MPI_Request persistent;

    MPI_Barrier_init(comm, MPI_INFO_NULL, &persistent);
    for (int form = 0; form < 4; form++)
        for (int late = 0; late < world.size; late++)
            test_late(comm, late, form, remote_only, &persistent);
    MPI_Request_free(&persistent);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    test(m.comm, 0);
    if (m.size > 1) {
        MPI_Comm half, inter;
        int other = m.rank > 0;
        MPI_Comm_split(m.comm, other, 0, &half);
        MPI_Intercomm_create(half, 0, m.comm, other ? 0 : 1, 1, &inter);
        test(inter, 1);
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    MPI_Finalize();
    return 0;
}
