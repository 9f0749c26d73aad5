/* finalize.c — E06: MPI_Finalize delivers all messages that were sent, of any length, mode and
 * type, and completes requests that were freed; the receiver calls it later. */
#include <time.h>
#include "../pt2pt/pattern.h"

enum { N = 4, MOST = 1 << 20 };
static const int lengths[N] = { 4, 3000, 60000, MOST };

static void pause_ms(int ms)
{
    struct timespec t = { 0, ms * 1000000L };

    nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
    static char out[N][MOST], in[MOST];
    int rank, size, next, previous;
    MPI_Request request;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    MPI_Type_vector(1, 2, 2, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < N; i++) {
        pattern_fill(out[i], (size_t) lengths[i], (unsigned) (rank + i));
        MPI_Isend(out[i], lengths[i] / 2, type, next, i, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Type_free(&type);
    pause_ms(rank % 3 * 20);
    for (int i = N - 1; i >= 0; i--) {
        MPI_Recv(in, lengths[i], MPI_CHAR, previous, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) lengths[i], (unsigned) (previous + i));
    }
    MPI_Finalize();
    return 0;
}
