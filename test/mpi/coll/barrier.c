/* barrier.c — C17: no process leaves MPI_Barrier before all have entered it.
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

static void test_one_late(struct me m, int late)
{
    struct timespec pause = { .tv_nsec = 5000000 };
    double entered, left, last;

    if (m.rank == late)
        nanosleep(&pause, NULL);
    entered = now();
    CHECK(MPI_Barrier(m.comm) == MPI_SUCCESS);
    left = now();
    MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, m.comm);
    CHECK(left >= last);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    for (int late = 0; late < m.size; late++)
        test_one_late(m, late);
    for (int i = 0; i < 20; i++)
        CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
