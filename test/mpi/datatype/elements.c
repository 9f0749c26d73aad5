/* elements.c — P07, D09: MPI_Get_count and MPI_Get_elements of whole, partial and empty messages,
 * example 4.12; counts beyond 2^31 set by MPI_Status_set_elements_x. Sending overlapping data is
 * fine. */
#include "mpitest.h"

static int rank, size, next, previous;

static MPI_Status receive(int ints, MPI_Datatype type, int count)
{
    int out[64] = { 0 }, in[256];
    MPI_Status status;

    MPI_Sendrecv(out, ints, MPI_INT, next, 1, in, count, type, previous, 1, MPI_COMM_WORLD,
                 &status);
    return status;
}

static void check(MPI_Status status, MPI_Datatype type, int count, int elements)
{
    MPI_Count x = -1;
    int n = -1;

    MPI_Get_count(&status, type, &n);
    CHECK_INT(n, count);
    n = -1;
    MPI_Get_elements(&status, type, &n);
    CHECK_INT(n, elements);
    MPI_Get_elements_x(&status, type, &x);
    CHECK_INT(x, elements);
}

static void partial(void)
{
    MPI_Datatype pair, vector, nested;
    MPI_Status status;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 2, pair, &vector);
    MPI_Type_contiguous(3, vector, &nested);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&vector);
    MPI_Type_commit(&nested);
    for (int n = 0; n <= 24; n++) {
        status = receive(n, pair, 20);
        check(status, pair, n % 2 ? MPI_UNDEFINED : n / 2, n);
        check(status, MPI_INT, n, n);
        check(receive(n, vector, 10), vector, n % 4 ? MPI_UNDEFINED : n / 4, n);
        check(receive(n, nested, 5), nested, n % 12 ? MPI_UNDEFINED : n / 12, n);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&vector);
    MPI_Type_free(&nested);
}

/* A part of a basic element is counted by neither. */
static void parts_of_bytes(void)
{
    char out[16] = "", in[16];
    MPI_Status status;
    int n = -1;

    MPI_Sendrecv(out, 7, MPI_BYTE, next, 1, in, 16, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK_INT(n, MPI_UNDEFINED);
    n = -1;
    MPI_Get_count(&status, MPI_BYTE, &n);
    CHECK_INT(n, 7);
}

static void nothing(void)
{
    MPI_Datatype none;
    MPI_Status status;
    int n = -1;

    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&none);
    status = receive(0, none, 7);
    MPI_Get_count(&status, none, &n);
    CHECK_INT(n, 0);
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    check(status, MPI_DOUBLE, 0, 0);
    MPI_Type_free(&none);
}

/* Counts that do not fit an int. */
static void large(void)
{
    const MPI_Count n = 5000000000;
    MPI_Datatype five, three;
    MPI_Count x = -1;
    MPI_Status status;
    int cancelled = 1, count = -1;

    memset(&status, 0, sizeof status);
    MPI_Type_contiguous(5, MPI_INT, &five);
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&five);
    MPI_Type_commit(&three);
    MPI_Status_set_cancelled(&status, 0);
    CHECK(MPI_Status_set_elements_x(&status, MPI_INT, n) == MPI_SUCCESS);
    MPI_Get_elements_x(&status, MPI_INT, &x);
    CHECK_INT(x, n);
    MPI_Get_elements(&status, MPI_INT, &count);
    CHECK_INT(count, MPI_UNDEFINED);
    count = -1;
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_INT(count, MPI_UNDEFINED);
    MPI_Get_count(&status, five, &count);
    CHECK_INT(count, 1000000000);
    MPI_Get_elements_x(&status, five, &x);
    CHECK_INT(x, n);
    MPI_Get_count(&status, three, &count); /* 5000000000 is no multiple of 3 */
    CHECK_INT(count, MPI_UNDEFINED);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK_INT(cancelled, 0);
    MPI_Type_free(&five);
    MPI_Type_free(&three);
}

/* Each element is sent as often as the type has it (D09, D04). */
static void overlapping(void)
{
    const int out[] = { 1, 2, 3, 4, 5 }, expected[] = { 1, 2, 3, 2, 3, 4, 3, 4, 5 };
    int in[9] = { 0 };
    MPI_Datatype windows, same;

    MPI_Type_vector(3, 3, 1, MPI_INT, &windows);
    MPI_Type_commit(&windows);
    MPI_Sendrecv(out, 1, windows, next, 1, in, 9, MPI_INT, previous, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(memcmp(in, expected, sizeof in) == 0);
    MPI_Type_create_indexed_block(3, 2, (int[]) { 3, 0, 3 }, MPI_INT, &same);
    MPI_Type_commit(&same);
    MPI_Sendrecv(out, 1, same, next, 1, in, 6, MPI_INT, previous, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(memcmp(in, (int[]) { 4, 5, 1, 2, 4, 5 }, 6 * sizeof *in) == 0);
    MPI_Type_free(&windows);
    MPI_Type_free(&same);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    partial();
    parts_of_bytes();
    nothing();
    large();
    overlapping();
    MPI_Finalize();
    return 0;
}
