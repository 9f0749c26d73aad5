/* success.c — P06: calls that give several statuses leave MPI_ERROR alone when no operation fails.
 *
 * MPICH 4.0 and Open MPI 4.1 fail: they set it to MPI_SUCCESS. */
#include "mpitest.h"

enum { N = 4, SENTINEL = 0x4242 };

int main(int argc, char **argv)
{
    int rank, size, in[N / 2], flag, n, indices[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int way = 0; way < 4; way++) {
        MPI_Request request[N];
        MPI_Status status[N];

        for (int i = 0; i < N / 2; i++) {
            MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &request[i]);
            MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &request[N / 2 + i]);
        }
        for (int i = 0; i < N; i++)
            status[i].MPI_ERROR = SENTINEL;
        flag = n = 0;
        if (way == 0)
            MPI_Waitall(N, request, status);
        while (way == 1 && !flag)
            MPI_Testall(N, request, &flag, status);
        while (way == 2 && n != MPI_UNDEFINED)
            MPI_Waitsome(N, request, &n, indices, status);
        while (way == 3 && n != MPI_UNDEFINED)
            MPI_Testsome(N, request, &n, indices, status);
        for (int i = 0; i < N; i++)
            CHECK_INT(status[i].MPI_ERROR, SENTINEL);
    }
    MPI_Finalize();
    return 0;
}
