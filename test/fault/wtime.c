/* wtime.c — how far the clock of MPI_Wtime differs from that of rank 0, as messages prove it.
 *
 * Each process asks rank 0 for its time. A time that is not between question and answer proves an
 * error of the clocks. Prints the largest error, in us, and whether MPI_WTIME_IS_GLOBAL says that
 * there is none.
 *
 * wtime multiple: with threads. */
#include <unistd.h>
#include "mpitest.h"

enum { ROUNDS = 200 };

static double ask(void)
{
    double worst = 0, there;

    for (int i = 0; i < ROUNDS; i++) {
        double begin = MPI_Wtime();
        MPI_Send(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&there, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double end = MPI_Wtime();
        CHECK(end >= begin);
        double away = begin > there ? begin - there : there - end;
        worst = away > worst ? away : worst;
    }
    return worst;
}

static void answer(int from)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double now = MPI_Wtime();
        MPI_Send(&now, 1, MPI_DOUBLE, from, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, flag, provided, *is_global = NULL;
    double mine = 0, worst = 0;

    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, (void *) &is_global, &flag);
    CHECK(flag);
    for (int i = 1; i < size; i++) {
        if (rank == 0)
            answer(i);
        else if (rank == i)
            mine = ask();
    }
    MPI_Reduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("global %d worst %.3f\n", *is_global, worst * 1e6);
    MPI_Finalize();
    return 0;
}
