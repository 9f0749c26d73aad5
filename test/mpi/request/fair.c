/* fair.c — P18: with MPI_Waitsome and MPI_Testsome a receive whose message was sent succeeds in the
 * end, however often others in the same list complete (§3.7.5).
 *
 * Open MPI 4.1 fails: there is no progress while one of the list is complete. */
#include "mpitest.h"

static int rank, size;

static void take_some(int tests, MPI_Request request[2])
{
    int n, indices[2];

    if (tests)
        MPI_Testsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
    else
        MPI_Waitsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
}

/* request[busy] is always complete: its message comes from this process. */
static void server(int tests, int busy)
{
    int x, y = 0, other = 1 - busy;
    double end = MPI_Wtime() + 20;
    MPI_Request request[2];

    request[busy] = MPI_REQUEST_NULL;
    MPI_Irecv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[other]);
    while (request[other] != MPI_REQUEST_NULL) {
        CHECK(MPI_Wtime() < end);
        if (request[busy] == MPI_REQUEST_NULL) {
            MPI_Irecv(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request[busy]);
            MPI_Send(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
        take_some(tests, request);
    }
    CHECK_INT(x, 77);
    MPI_Wait(&request[busy], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int x = 77;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int tests = 0; tests < 2 && size > 1; tests++)
        for (int busy = 0; busy < 2; busy++) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank == 0)
                server(tests, busy);
            if (rank == 1)
                MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return 0;
}
