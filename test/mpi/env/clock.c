/* clock.c — E08: MPI_Wtime never goes back and measures real seconds; MPI_Wtick is its
 * resolution. */
#include <time.h>
#include "mpitest.h"

static const double DRIFT = 1e-3; /* two clocks that are adjusted all the time */

static double seconds(void)
{
    struct timespec t;

    CHECK(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    struct timespec pause = { 0, 50000000 };
    double begin, last, outer, inner;

    MPI_Init(&argc, &argv);
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() <= 0.01);
    begin = last = MPI_Wtime();
    for (int i = 0; i < 100000; i++) {
        double now = MPI_Wtime();

        CHECK(now >= last);
        last = now;
    }
    outer = seconds();
    begin = MPI_Wtime();
    inner = seconds();
    (void) nanosleep(&pause, NULL);
    inner = seconds() - inner;
    last = MPI_Wtime();
    outer = seconds() - outer;
    CHECK(last - begin > inner * (1 - DRIFT) - 1e-6 && last - begin < outer * (1 + DRIFT) + 1e-6);
    CHECK(PMPI_Wtime() >= last);
    MPI_Finalize();
    return 0;
}
