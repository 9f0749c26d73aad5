/* sizes.c — messages of every length arrive complete: one way, both ways at once, around a ring. */
#include <string.h>
#include "pattern.h"

static int rank, size;
static unsigned char *out, *in;

static void receive(int from, int len, unsigned seed)
{
    MPI_Status status;
    int count;

    MPI_Recv(in, len, MPI_BYTE, from, 5, MPI_COMM_WORLD, &status);
    CHECK_INT(MPI_Get_count(&status, MPI_BYTE, &count), MPI_SUCCESS);
    CHECK_INT(count, len);
    CHECK_INT(status.MPI_SOURCE, from);
    CHECK_INT(status.MPI_TAG, 5);
    CHECK_PATTERN(in, (size_t) len, seed);
    CHECK_FRESH(in + len, 64);
    pattern_freshen(in, (size_t) len);
}

static void one_way(int partner, int len)
{
    pattern_fill(out, (size_t) len, (unsigned) rank);
    if (rank < partner)
        MPI_Send(out, len, MPI_BYTE, partner, 5, MPI_COMM_WORLD);
    else
        receive(partner, len, (unsigned) partner);
    if (rank > partner)
        MPI_Send(out, len, MPI_BYTE, partner, 5, MPI_COMM_WORLD);
    else
        receive(partner, len, (unsigned) partner);
}

/* Neither side receives before both have sent. */
static void head_to_head(int partner, int len)
{
    MPI_Request request[2];

    MPI_Isend(out, len, MPI_BYTE, partner, 6, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(in, len, MPI_BYTE, partner, 6, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    CHECK_PATTERN(in, (size_t) len, (unsigned) partner);
    CHECK_FRESH(in + len, 64);
    pattern_freshen(in, (size_t) len);
}

static void ring(int len)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Status status;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Sendrecv(out, len, MPI_BYTE, right, 7, in, len, MPI_BYTE, left, 7, MPI_COMM_WORLD, &status);
    CHECK_INT(status.MPI_SOURCE, left);
    CHECK_PATTERN(in, (size_t) len, (unsigned) left);
    CHECK_FRESH(in + len, 64);
    pattern_freshen(in, (size_t) len);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = mpitest_memory(PATTERN_MAX);
    in = mpitest_memory(PATTERN_MAX + 64);
    for (int i = 0; i < PATTERN_SIZES; i++) {
        int partner = rank ^ 1;

        if (partner < size) {
            one_way(partner, pattern_sizes[i]);
            head_to_head(partner, pattern_sizes[i]);
        }
        ring(pattern_sizes[i]);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
