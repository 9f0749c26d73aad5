/* sendrecv.c — P25: a send-receive matches plain sends, receives and probes, has two types and two
 * partners, and no ring of them deadlocks. */
#include "pattern.h"

static int rank, size;
static char *out, *in;

static void with_plain(int len)
{
    MPI_Status status;
    int partner = rank ^ 1;

    if (partner >= size)
        return;
    pattern_fill(out, (size_t) len, (unsigned) rank);
    if (rank < partner) {
        MPI_Sendrecv(out, len, MPI_BYTE, partner, 1, in, len, MPI_BYTE, partner, 2, MPI_COMM_WORLD,
                     &status);
        CHECK_INT(status.MPI_TAG, 2);
    } else {
        MPI_Request request;

        MPI_Isend(out, len, MPI_BYTE, partner, 2, MPI_COMM_WORLD, &request);
        MPI_Probe(partner, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(in, len, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK_PATTERN(in, (size_t) len, (unsigned) partner);
}

/* Each process exchanges with processes at all distances, wildcards included. */
static void rings(int len)
{
    for (int distance = 0; distance < size; distance++) {
        int to = (rank + distance) % size, from = (rank + size - distance) % size;
        MPI_Status status;

        pattern_fill(out, (size_t) len, (unsigned) (rank + distance));
        MPI_Sendrecv(out, len, MPI_BYTE, to, 10 + distance, in, len, MPI_BYTE, MPI_ANY_SOURCE,
                     10 + distance, MPI_COMM_WORLD, &status);
        CHECK_INT(status.MPI_SOURCE, from);
        CHECK_PATTERN(in, (size_t) len, (unsigned) (from + distance));
    }
}

static void two_types(void)
{
    double twelve[12], got[24];
    MPI_Datatype every_other;
    MPI_Status status;
    int count;

    MPI_Type_vector(12, 1, 2, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    for (int i = 0; i < 12; i++)
        twelve[i] = rank + i * 0.25;
    for (int i = 0; i < 24; i++)
        got[i] = -1;
    MPI_Sendrecv(twelve, 12, MPI_DOUBLE, (rank + 1) % size, 3, got, 1, every_other,
                 (rank + size - 1) % size, 3, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, every_other, &count);
    CHECK_INT(count, 1);
    for (int i = 0; i < 24; i++)
        CHECK(got[i] == (i % 2 ? -1 : (rank + size - 1) % size + i / 2 * 0.25));
    MPI_Type_free(&every_other);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    for (int i = 0; i < PATTERN_WAYS; i++) {
        with_plain(pattern_ways[i]);
        rings(pattern_ways[i]);
    }
    two_types();
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
