/* cut_off.c — a peer cannot be reached any more although it is alive. Each process that sends to
 * it, and the peer itself, gets an error that names the other side. All other processes go on.
 *
 * Only for Starling: the chaos device cuts process 1 of three off from the others, which send to it
 * until then (STARLING_CHAOS_DROP_PEER=1). */
#include "mpitest.h"

enum { LARGEST = 300000 };

static int rank;
static char *in, *out;

static int exchange(int with, int turn)
{
    static const int sizes[] = { 8, 8000, LARGEST, 0, 500 };
    int n = sizes[turn % 5], err;
    MPI_Request request;

    memset(out, turn, (size_t) n);
    if (turn % 3)
        return MPI_Sendrecv(out, n, MPI_BYTE, with, turn, in, n, MPI_BYTE, with, turn,
                            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if ((err = MPI_Isend(out, n, MPI_BYTE, with, turn, MPI_COMM_WORLD, &request)))
        return err;
    err = MPI_Recv(in, n, MPI_BYTE, with, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int sent = MPI_Wait(&request, MPI_STATUS_IGNORE);
    return err ? err : sent;
}

static void until_cut_off(int from)
{
    char text[MPI_MAX_ERROR_STRING], name[64];
    int err = MPI_SUCCESS, n;

    for (int turn = 0; !(err = exchange(from, turn)); turn++)
        CHECK(!memcmp(in, out, 8));
    MPI_Error_string(err, text, &n);
    snprintf(name, sizeof name, "process %d of MPI_COMM_WORLD on ", from);
    if (!strstr(text, name) || !strstr(text, " over chaos:"))
        mpitest_fail(__FILE__, __LINE__, text);
}

/* When making a communicator fails, the handle is null, and nothing of the communicator is left
 * (G04). */
static void begin_in_vain(void)
{
    MPI_Comm made;
    MPI_Request request;
    int n, class;

    CHECK_INT(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request), MPI_SUCCESS);
    int err = MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK(err || rank != 1);
    if (!err) {
        MPI_Comm_free(&made);
        return;
    }
    MPI_Error_class(MPI_Comm_rank(made, &n), &class);
    CHECK_INT(class, MPI_ERR_COMM);
    MPI_Error_class(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), &class);
    CHECK_INT(class, MPI_ERR_COMM);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    in = mpitest_memory(LARGEST);
    out = mpitest_memory(LARGEST);
    if (rank == 1) {
        until_cut_off(0);
        until_cut_off(2);
    } else {
        until_cut_off(1);
        for (int turn = 0; turn < 100; turn++)
            CHECK(!exchange(2 - rank, turn));
    }
    begin_in_vain();
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
