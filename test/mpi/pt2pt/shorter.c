/* shorter.c — P05: a message shorter than its buffer changes only the bytes it covers, and
 * MPI_Get_count gives its own length. */
#include "pattern.h"

static int rank, size, next, previous;
static unsigned char *out, *in;

static void contiguous(int len)
{
    MPI_Status status;
    int count;

    MPI_Sendrecv(out, len, MPI_BYTE, next, 0, in, len + 5000, MPI_BYTE, previous, 0, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    CHECK_FRESH(in + len, 5000);
    pattern_freshen(in, (size_t) len);
}

/* Into elements of 3 blocks of 5 ints, 7 apart; the message ends within a block. */
static void vector(int ints)
{
    int elements = ints / 15 + 2, count, n = 0;
    MPI_Datatype type;
    MPI_Status status;
    int *apart;

    MPI_Type_vector(3, 5, 7, MPI_INT, &type);
    MPI_Type_commit(&type);
    apart = mpitest_memory((size_t) elements * 19 * sizeof *apart);
    MPI_Sendrecv(out, ints, MPI_INT, next, 1, apart, elements, type, previous, 1, MPI_COMM_WORLD,
                 &status);
    MPI_Get_elements(&status, type, &count);
    CHECK_INT(count, ints);
    MPI_Get_count(&status, type, &count);
    CHECK_INT(count, ints % 15 ? MPI_UNDEFINED : ints / 15);
    for (int i = 0; i < elements * 19; i++) {
        int in_element = i % 19, covered = in_element % 7 < 5;
        unsigned char expected[sizeof(int)];

        for (size_t b = 0; b < sizeof expected; b++)
            expected[b] = covered && n < ints
                              ? pattern_byte((unsigned) previous, (size_t) n * sizeof(int) + b)
                              : PATTERN_FRESH;
        for (size_t b = 0; b < sizeof expected; b++)
            CHECK_INT(((unsigned char *) &apart[i])[b], expected[b]);
        n += covered;
    }
    free(apart);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(PATTERN_MAX);
    in = mpitest_memory(PATTERN_MAX + 5000);
    pattern_fill(out, PATTERN_MAX, (unsigned) rank);
    for (int i = 0; i < PATTERN_SIZES; i++)
        contiguous(pattern_sizes[i]);
    for (int i = 0; i < PATTERN_WAYS; i++)
        vector(pattern_ways[i] / 4);
    vector(0);
    vector(30);
    vector(150001);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
