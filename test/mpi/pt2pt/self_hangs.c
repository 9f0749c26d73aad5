/* self_hangs.c — a blocking send to oneself that no receive can match any more is an error with a
 * text and not a wait for ever; the message is gone, and all works as before. With a receive that
 * may come it is none. */
#include <stdlib.h>
#include "mpitest.h"

enum { LARGE = 4 << 20 };

static int rank;
static char *data;

static void hangs(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, class;

    MPI_Error_class(err, &class);
    CHECK_INT(class, MPI_ERR_OTHER);
    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, "to itself") && strstr(text, "tag 7") && strstr(text, "MPI_Irecv"));
}

/* A message that was sent is the only one that is received. */
static void works(MPI_Comm c)
{
    int x = 5, got = 0, flag = 1;
    MPI_Request r;

    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Irecv(&got, 1, MPI_INT, rank, 7, c, &r);
    CHECK_INT(MPI_Ssend(&x, 1, MPI_INT, rank, 7, c), MPI_SUCCESS);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK_INT(got, 5);
}

/* ---- a receive that may come ----------------------------------------------------------------- */

static MPI_Request late;

static int query(void *state, MPI_Status *s)
{
    (void) state;
    MPI_Status_set_cancelled(s, 0);
    MPI_Status_set_elements(s, MPI_INT, 0);
    s->MPI_SOURCE = s->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int nothing(void *state) { return (void) state, MPI_SUCCESS; }
static int no_cancel(void *state, int complete) { return (void) complete, nothing(state); }

/* Receives when it is polled for the fifth time. */
static int receive(void *state, MPI_Status *s)
{
    static int polls, got;

    (void) s;
    if (++polls < 5)
        return MPI_SUCCESS;
    MPI_Recv(&got, 1, MPI_INT, rank, 7, *(MPI_Comm *) state, MPI_STATUS_IGNORE);
    CHECK_INT(got, 6);
    return MPI_Grequest_complete(late);
}

static void comes_by_a_function(MPI_Comm c)
{
    int x = 6;

    MPIX_Grequest_start(query, nothing, no_cancel, receive, NULL, &c, &late);
    CHECK_INT(MPI_Ssend(&x, 1, MPI_INT, rank, 7, c), MPI_SUCCESS);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int x = 1, first = 0;
    MPI_Comm c;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    data = calloc(1, LARGE);
    hangs(MPI_Ssend(&x, 1, MPI_INT, rank, 7, c));
    works(c);
    hangs(MPI_Send(data, LARGE, MPI_CHAR, rank, 7, c));
    works(c);
    /* Others that wait for their receive stay. */
    MPI_Send(&x, 1, MPI_INT, rank, 7, c);
    hangs(MPI_Ssend(&x, 1, MPI_INT, rank, 7, c));
    MPI_Recv(&first, 1, MPI_INT, rank, 7, c, MPI_STATUS_IGNORE);
    CHECK_INT(first, 1);
    works(c);
    comes_by_a_function(c);
    works(c);
    MPI_Barrier(MPI_COMM_WORLD);
    free(data);
    MPI_Comm_free(&c);
    MPI_Finalize();
    return 0;
}
