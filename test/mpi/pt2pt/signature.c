/* signature.c — P26: the sequences of basic elements must agree, their places need not; bytes
 * travel as MPI_PACKED. */
#include "pattern.h"

enum { ROWS = 300, COLUMNS = 17 };

static int rank, size, next, previous;

/* A column of a matrix arrives as a row, and the other way round. */
static void column_as_row(int rows)
{
    int *matrix = mpitest_memory((size_t) rows * COLUMNS * sizeof *matrix);
    int *row = mpitest_memory((size_t) rows * sizeof *row);
    MPI_Datatype column;

    for (int i = 0; i < rows * COLUMNS; i++)
        matrix[i] = rank * 1000000 + i;
    MPI_Type_vector(rows, 1, COLUMNS, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(matrix + 3, 1, column, next, 1, row, rows, MPI_INT, previous, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < rows; i++)
        CHECK_INT(row[i], previous * 1000000 + i * COLUMNS + 3);
    MPI_Sendrecv(row, rows, MPI_INT, previous, 2, matrix + 5, 1, column, next, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < rows * COLUMNS; i++) {
        int expected = i % COLUMNS == 5 ? i / COLUMNS * COLUMNS + 3 : i;

        CHECK_INT(matrix[i], rank * 1000000 + expected);
    }
    MPI_Type_free(&column);
    free(row);
    free(matrix);
}

/* Vectors of different shape; the receiving one goes backwards. */
static void two_shapes(int blocks)
{
    int n = blocks * 6;
    short *out = mpitest_memory((size_t) n * 2 * sizeof *out);
    short *in = mpitest_memory((size_t) n * 3 * sizeof *in);
    MPI_Datatype pairs, triples;

    MPI_Type_vector(blocks * 3, 2, 4, MPI_SHORT, &pairs);
    MPI_Type_vector(blocks * 2, 3, -5, MPI_SHORT, &triples);
    MPI_Type_commit(&pairs);
    MPI_Type_commit(&triples);
    for (int i = 0; i < n * 2; i++)
        out[i] = (short) i;
    int begin = (blocks * 2 - 1) * 5; /* the last block begins at 0 */
    MPI_Sendrecv(out, 1, pairs, next, 3, in + begin, 1, triples, previous, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        CHECK_INT(in[begin - i / 3 * 5 + i % 3], (short) (i / 2 * 4 + i % 2));
    MPI_Type_free(&pairs);
    MPI_Type_free(&triples);
    free(in);
    free(out);
}

/* Nested contiguous types against plain elements; a type in several segments. */
static void nested(void)
{
    double out[24], in[24];
    MPI_Datatype two, six;
    MPI_Status status;
    int count;

    MPI_Type_contiguous(2, MPI_DOUBLE, &two);
    MPI_Type_contiguous(3, two, &six);
    MPI_Type_commit(&six);
    for (int i = 0; i < 24; i++)
        out[i] = rank * 100 + i;
    MPI_Sendrecv(out, 4, six, next, 4, in, 24, MPI_DOUBLE, previous, 4, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    CHECK_INT(count, 24);
    for (int i = 0; i < 24; i++)
        CHECK(in[i] == previous * 100 + i);
    MPI_Sendrecv(out, 24, MPI_DOUBLE, next, 5, in, 4, six, previous, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, six, &count);
    CHECK_INT(count, 4);
    MPI_Type_free(&two);
    MPI_Type_free(&six);
}

static void bytes(void)
{
    unsigned char out[100], in[100];

    pattern_fill(out, sizeof out, (unsigned) rank);
    MPI_Sendrecv(out, 100, MPI_PACKED, next, 6, in, 100, MPI_PACKED, previous, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, sizeof in, (unsigned) previous);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int rows = 1; rows <= ROWS * 100; rows *= 10)
        column_as_row(rows * 3);
    for (int blocks = 1; blocks <= 10000; blocks *= 10)
        two_shapes(blocks);
    nested();
    bytes();
    MPI_Finalize();
    return 0;
}
