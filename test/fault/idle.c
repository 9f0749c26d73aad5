/* idle.c — a waiting process uses no processor time, whatever call it waits in.
 *
 * Usage: idle WAY [SECONDS] */
#include <sys/resource.h>
#include <unistd.h>
#include "mpitest.h"

#ifdef __SANITIZE_ADDRESS__ /* with which the polls of the provider shm alone take half of that */
enum { MOST_MS = 100 };
#else
enum { MOST_MS = 30 };
#endif

static double cpu_ms(void)
{
    struct rusage u;

    CHECK(getrusage(RUSAGE_SELF, &u) == 0);
    return (double) (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3
           + (double) (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-3;
}

static void wait_in(const char *way, int last)
{
    MPI_Request r[2];
    int x = 0, y = 0;

    if (strcmp(way, "recv") == 0) {
        MPI_Recv(&x, 1, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(way, "any") == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(way, "probe") == 0) {
        MPI_Probe(last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(way, "waitall") == 0) {
        MPI_Irecv(&x, 1, MPI_INT, last, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&y, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argc > 1 ? argv[1] : "recv";
    unsigned seconds = argc > 2 ? (unsigned) atoi(argv[2]) : 3;

    MPI_Barrier(MPI_COMM_WORLD); /* connections are made before the processor time is counted */
    double begin = cpu_ms();
    if (rank == size - 1) {
        sleep(seconds); /* what the other ranks wait for */
        for (int i = 0; i < rank; i++)
            for (int tag = 0; strcmp(way, "barrier") && tag < 2; tag++)
                MPI_Send(&x, 1, MPI_INT, i, tag, MPI_COMM_WORLD);
    }
    if (rank < size - 1 || strcmp(way, "barrier") == 0)
        wait_in(way, size - 1);
    double used = cpu_ms() - begin;
    if (used > MOST_MS) {
        fprintf(stderr, "rank %d: %.0f ms of processor time in %u s of waiting in %s\n", rank, used,
                seconds, way);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank < size - 1 && strcmp(way, "waitall") && strcmp(way, "barrier"))
        MPI_Recv(&x, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
