/* many.c — thousands of operations under way at once, of all lengths, between all processes. */
#include "pattern.h"

enum { EACH = 400, LONGEST = 20000 };

static int length(int from, int to, int n)
{
    static const int lengths[] = { 0, 8, 40, 8, 500, 3000, 8, LONGEST };

    return lengths[(from + 3 * to + n) % 8];
}

static unsigned seed(int from, int to, int n) { return (unsigned) (from * 57 + to * 11 + n); }

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int n = EACH * size;
    MPI_Request *request = mpitest_memory(2 * (size_t) n * sizeof *request);
    MPI_Status *status = mpitest_memory(2 * (size_t) n * sizeof *status);
    char *in = malloc((size_t) n * LONGEST), *out = malloc((size_t) n * LONGEST);

    CHECK(in && out);             /* touched only where used */
    for (int i = 0; i < n; i++) { /* the last messages are received first */
        int from = i % size, k = EACH - 1 - i / size;

        MPI_Irecv(in + (size_t) i * LONGEST, length(from, rank, k), MPI_BYTE, from, k,
                  MPI_COMM_WORLD, &request[i]);
    }
    for (int i = 0; i < n; i++) {
        int to = (i + rank) % size, k = i / size;

        pattern_fill(out + (size_t) i * LONGEST, (size_t) length(rank, to, k), seed(rank, to, k));
        MPI_Isend(out + (size_t) i * LONGEST, length(rank, to, k), MPI_BYTE, to, k, MPI_COMM_WORLD,
                  &request[n + i]);
    }
    CHECK_INT(MPI_Waitall(2 * n, request, status), MPI_SUCCESS);
    for (int i = 0; i < n; i++) {
        int from = i % size, k = EACH - 1 - i / size, count;

        MPI_Get_count(&status[i], MPI_BYTE, &count);
        CHECK_INT(count, length(from, rank, k));
        CHECK_INT(status[i].MPI_TAG, k);
        CHECK_PATTERN(in + (size_t) i * LONGEST, (size_t) count, seed(from, rank, k));
    }
    free(out);
    free(in);
    free(status);
    free(request);
    MPI_Finalize();
    return 0;
}
