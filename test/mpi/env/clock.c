/* clock.c — E08: MPI_Wtime never goes back and tells real seconds; MPI_Wtick is its resolution. */
#include <time.h>
#include "mpitest.h"

int main(int argc, char **argv)
{
    struct timespec pause = { 0, 50000000 };
    double begin, last;

    MPI_Init(&argc, &argv);
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() <= 0.01);
    begin = last = MPI_Wtime();
    for (int i = 0; i < 100000; i++) {
        double now = MPI_Wtime();

        CHECK(now >= last);
        last = now;
    }
    begin = MPI_Wtime();
    nanosleep(&pause, NULL);
    last = MPI_Wtime();
    CHECK(last - begin >= 0.0499 && last - begin < 5);
    CHECK(PMPI_Wtime() >= last);
    MPI_Finalize();
    return 0;
}
