/* count.c — P07: the results of MPI_Get_count and MPI_Get_elements for a message.
 *
 * Open MPI 4.1 fails: it takes a value and its index for one basic element. */
#include "pattern.h"

enum { TAG = 4, ROOM = 16 };

static int rank, size, next, previous;
static int out[ROOM], in[ROOM];

static void partial(void)
{
    MPI_Datatype triple, nothing;
    MPI_Status status;
    int count;

    MPI_Type_contiguous(3, MPI_INT, &triple);
    MPI_Type_commit(&triple);
    for (int ints = 0; ints < 10; ints++) {
        MPI_Sendrecv(out, ints, MPI_INT, next, TAG, in, 5, triple, previous, TAG, MPI_COMM_WORLD,
                     &status);
        MPI_Get_count(&status, triple, &count);
        CHECK_INT(count, ints % 3 ? MPI_UNDEFINED : ints / 3);
        MPI_Get_elements(&status, triple, &count);
        CHECK_INT(count, ints);
    }
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Sendrecv(out, 7, nothing, next, TAG, in, 9, nothing, previous, TAG, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, nothing, &count);
    CHECK_INT(count, 0);
    MPI_Get_elements(&status, nothing, &count);
    CHECK_INT(count, 0);
    MPI_Type_free(&triple);
    MPI_Type_free(&nothing);
}

/* A value and an index are two basic elements. */
static void pairs(void)
{
    struct {
        double value;
        int index;
    } pair[3] = { { 1.5, 1 }, { 2.5, 2 }, { 3.5, 3 } }, got[4];
    MPI_Status status;
    int count;

    MPI_Sendrecv(pair, 3, MPI_DOUBLE_INT, next, TAG, got, 4, MPI_DOUBLE_INT, previous, TAG,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE_INT, &count);
    CHECK_INT(count, 3);
    MPI_Get_elements(&status, MPI_DOUBLE_INT, &count);
    CHECK_INT(count, 6);
    for (int i = 0; i < 3; i++)
        CHECK(got[i].value == pair[i].value && got[i].index == pair[i].index);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    partial();
    pairs();
    MPI_Finalize();
    return 0;
}
