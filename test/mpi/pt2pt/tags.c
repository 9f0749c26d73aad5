/* tags.c — P02: tags select; a later message may be received first, however long the earlier one.
 * P27: every tag from 0 to MPI_TAG_UB works, and no other. */
#include "../env/starling.h"
#include "pattern.h"

enum { LONG = 1 << 20, MANY = 3000 };

static int rank, size, next, previous;

static void later_first(void)
{
    char *out = mpitest_memory(LONG), *in = mpitest_memory(LONG);
    int value = rank, got = -1;
    MPI_Request request[2];

    pattern_fill(out, LONG, (unsigned) rank);
    MPI_Isend(out, LONG, MPI_BYTE, next, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&value, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Recv(&got, 1, MPI_INT, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(got, previous);
    MPI_Recv(in, LONG, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, LONG, (unsigned) previous);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    free(in);
    free(out);
}

/* The last message is received first; posted: the receives are posted before messages arrive. */
static void reverse(int posted)
{
    MPI_Request *sends = mpitest_memory(MANY * sizeof *sends);
    MPI_Request *receives = mpitest_memory(MANY * sizeof *receives);
    int *out = mpitest_memory(MANY * sizeof *out), *in = mpitest_memory(MANY * sizeof *in);

    for (int i = 0; posted && i < MANY; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &receives[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int n = 0; n < MANY; n++) {
        int i = MANY - 1 - n;

        out[i] = rank * MANY + i;
        MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &sends[i]);
    }
    for (int i = 0; !posted && i < MANY; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &receives[i]);
    MPI_Waitall(MANY, receives, MPI_STATUSES_IGNORE);
    MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        CHECK_INT(in[i], previous * MANY + i);
    free(in);
    free(out);
    free(receives);
    free(sends);
}

static void limits(int ub)
{
    const int tags[] = { 0, 1, 32767, 65536, ub - 1, ub };

    for (unsigned i = 0; i < sizeof tags / sizeof *tags; i++) {
        MPI_Status status;
        int got = -1;

        if (tags[i] > ub)
            continue;
        MPI_Sendrecv(&rank, 1, MPI_INT, next, tags[i], &got, 1, MPI_INT, previous, tags[i],
                     MPI_COMM_WORLD, &status);
        CHECK_INT(got, previous);
        CHECK_INT(status.MPI_TAG, tags[i]);
        MPI_Sendrecv(&rank, 1, MPI_INT, next, tags[i], &got, 1, MPI_INT, previous, MPI_ANY_TAG,
                     MPI_COMM_WORLD, &status);
        CHECK_INT(status.MPI_TAG, tags[i]);
    }
}

static void wrong(int ub)
{
    const int tags[] = { -1, -2, -32767, ub < 0x7fffffff ? ub + 1 : -3 };
    MPI_Request request;
    MPI_Status status;
    int value = 0, flag;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (unsigned i = 0; i < sizeof tags / sizeof *tags; i++) {
        int t = tags[i];

        CHECK_INT(error_class(MPI_Send(&value, 1, MPI_INT, rank, t, MPI_COMM_WORLD)), MPI_ERR_TAG);
        CHECK_INT(error_class(MPI_Isend(&value, 1, MPI_INT, rank, t, MPI_COMM_WORLD, &request)),
                  MPI_ERR_TAG);
        if (t == MPI_ANY_TAG)
            continue;
        CHECK_INT(error_class(MPI_Recv(&value, 1, MPI_INT, rank, t, MPI_COMM_WORLD, &status)),
                  MPI_ERR_TAG);
        CHECK_INT(error_class(MPI_Irecv(&value, 1, MPI_INT, rank, t, MPI_COMM_WORLD, &request)),
                  MPI_ERR_TAG);
        CHECK_INT(error_class(MPI_Iprobe(rank, t, MPI_COMM_WORLD, &flag, &status)), MPI_ERR_TAG);
    }
    CHECK_INT(error_class(MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD)),
              MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    int *ub, flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    later_first();
    reverse(0);
    reverse(1);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
    CHECK(flag);
    CHECK(*ub >= 32767);
    limits(*ub);
    wrong(*ub);
    limits(*ub);
    MPI_Finalize();
    return 0;
}
