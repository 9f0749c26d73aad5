/* use.c — D06: a type may be freed while a message uses it; D15: pairs with holes are sent; vectors
 * of all shapes arrive unchanged. */
#include "../pt2pt/pattern.h"

static int rank, size, next, previous;

/* Both types are freed before either operation has begun to move data. */
static void freed_in_use(int blocks)
{
    size_t len = (size_t) blocks * 3 * sizeof(int);
    int *out = mpitest_memory(len), *in = mpitest_memory(len);
    MPI_Datatype every_third, other;
    MPI_Request request[2];

    for (int i = 0; i < blocks * 3; i++)
        out[i] = rank * 7 + i;
    MPI_Type_vector(blocks, 1, 3, MPI_INT, &every_third);
    MPI_Type_commit(&every_third);
    MPI_Irecv(in, 1, every_third, previous, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 1, every_third, next, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Type_free(&every_third);
    for (int i = 0; i < 5; i++) { /* other types take its place */
        MPI_Type_vector(i + 2, 1, 2, MPI_CHAR, &other);
        MPI_Type_commit(&other);
        MPI_Type_free(&other);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < blocks; i++) {
        CHECK_INT(in[3 * i], previous * 7 + 3 * i);
        CHECK_FRESH(&in[3 * i + 1], 2 * sizeof(int));
    }
    free(in);
    free(out);
}

static void pairs(int n)
{
    struct pair {
        short value;
        int index;
    } *out = mpitest_memory((size_t) n * sizeof *out),
      *in = mpitest_memory((size_t) n * sizeof *in);
    MPI_Datatype two;
    MPI_Status status;
    int count;

    for (int i = 0; i < n; i++) {
        out[i].value = (short) (rank + i);
        out[i].index = rank * n + i;
    }
    MPI_Type_contiguous(2, MPI_SHORT_INT, &two);
    MPI_Type_commit(&two);
    MPI_Sendrecv(out, n / 2, two, next, 2, in, n, MPI_SHORT_INT, previous, 2, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_SHORT_INT, &count);
    CHECK_INT(count, n / 2 * 2);
    for (int i = 0; i < n / 2 * 2; i++) {
        CHECK_INT(in[i].value, (short) (previous + i));
        CHECK_INT(in[i].index, previous * n + i);
        CHECK_FRESH((char *) &in[i] + sizeof(short), sizeof(int) - sizeof(short));
    }
    MPI_Type_free(&two);
    free(in);
    free(out);
}

/* The places that count elements of a vector of ints cover, in the order of their signature. */
static void places(int shape[3], int count, int *place)
{
    int extent = (shape[0] - 1) * abs(shape[2]) + shape[1], n = 0;

    for (int e = 0; e < count; e++)
        for (int b = 0; b < shape[0]; b++)
            for (int k = 0; k < shape[1]; k++)
                place[n++] = e * extent + b * shape[2] + k;
}

/* Sends with one shape and receives with another: shapes are blocks, their length and stride. */
static void shapes(int from[3], int to[3], int count)
{
    enum { ROOM = 140000, ZERO = 70000 };
    static int out[ROOM], in[ROOM], source[ROOM], target[ROOM];
    int n = count * from[0] * from[1], into = n / (to[0] * to[1]);
    MPI_Datatype sent, received;

    CHECK_INT(into * to[0] * to[1], n);
    places(from, count, source);
    places(to, into, target);
    pattern_freshen(in, sizeof in);
    for (int i = 0; i < ROOM; i++)
        out[i] = rank * ROOM + i;
    MPI_Type_vector(from[0], from[1], from[2], MPI_INT, &sent);
    MPI_Type_vector(to[0], to[1], to[2], MPI_INT, &received);
    MPI_Type_commit(&sent);
    MPI_Type_commit(&received);
    MPI_Sendrecv(out + ZERO, count, sent, next, 3, in + ZERO, into, received, previous, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
    for (int i = 0; i < n; i++) {
        int *got = &in[ZERO + target[i]];

        CHECK_INT(*got, previous * ROOM + ZERO + source[i]);
        pattern_freshen(got, sizeof *got);
    }
    CHECK_FRESH(in, sizeof in); /* and no other byte was written */
}

int main(int argc, char **argv)
{
    static int shape[][3] = {
        { 1, 6, 9 },  { 6, 1, 2 },  { 2, 3, 4 },  { 3, 2, 2 },   { 3, 2, 7 },
        { 6, 1, -3 }, { 2, 3, -4 }, { 3, 2, -2 }, { 1, 6, -50 }, { 12, 4, 5 }
    };
    static const int counts[] = { 1, 20, 400 };
    enum { SHAPES = sizeof shape / sizeof *shape };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int blocks = 1; blocks <= 100000; blocks *= 10)
        freed_in_use(blocks);
    for (int n = 2; n <= 20000; n *= 10)
        pairs(n);
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++)
            shapes(shape[i], shape[j], counts[(i + j) % 3] * (i < SHAPES - 1 ? 8 : 1));
    MPI_Finalize();
    return 0;
}
