/* unreceived.c — process 0 sends a large message that process 1 does not receive. Both call
 * MPI_Finalize, or process 1 computes before it receives. Usage: unreceived mutual|one|computes */
#include <unistd.h>
#include "mpitest.h"

enum { LARGE = 1 << 20, TAG = 77, LONGER_S = 14 };

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    MPI_Request request;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *buf = mpitest_memory(LARGE);
    memset(buf, 0, LARGE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 || (rank == 1 && !strcmp(way, "mutual"))) {
        MPI_Isend(buf, LARGE, MPI_CHAR, 1 - rank, TAG + rank, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    } else if (rank == 1 && !strcmp(way, "computes")) {
        sleep(LONGER_S);
        MPI_Recv(buf, LARGE, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    free(buf);
    return 0;
}
