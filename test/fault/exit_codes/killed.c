/* killed.c — a process that dies ends the whole job, whatever the others wait for. argv[1]: what
 * the others do; the last process kills itself. */
#include <signal.h>
#include <string.h>
#include "mpitest.h"

enum { LONG = 8 << 20 };

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argc > 1 ? argv[1] : "receive";
    char *buf = mpitest_memory(LONG);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        raise(SIGKILL);
    if (strcmp(way, "receive") == 0)
        MPI_Recv(buf, LONG, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(way, "send") == 0)
        MPI_Send(buf, LONG, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD);
    if (strcmp(way, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
