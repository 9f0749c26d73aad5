/* fair.c — P18: a receive whose message was sent succeeds in the end, however often others in the
 * same list are done. The standard says so for Waitsome and Testsome, Starling for Waitany and
 * Testany too.
 *
 * Open MPI 4.1 fails: nothing moves while one of the list is done. */
#include "../env/starling.h"

static int rank, size;

/* Takes one that is done; returns its index, or -1. */
static int one_done(int way, MPI_Request request[2])
{
    int index = -1, flag = 1, n, indices[2];

    if (way == 0)
        MPI_Waitsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
    if (way == 1)
        MPI_Testsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
    if (way == 2)
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    if (way == 3)
        MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
    if (way > 1)
        return flag ? index : -1;
    for (int i = 0; i < n; i++)
        if (index < indices[i])
            index = indices[i];
    return index;
}

/* request[busy] is always done: its message comes from this process. */
static void server(int way, int busy)
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
        (void) one_done(way, request);
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
    for (int way = 0; way < (starling() ? 4 : 2) && size > 1; way++)
        for (int busy = 0; busy < 2; busy++) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank == 0)
                server(way, busy);
            if (rank == 1)
                MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return 0;
}
