/* mixed.c — P19: one array of plain, persistent, inactive, matched, cancelled, null and generalized
 * requests, in each of the eight calls. */
#include "../pt2pt/pattern.h"
#include "comms.h"
#include "complete.h"
#include "grequest.h"

enum place {
    RECEIVE,        /* MPI_Irecv */
    GENERAL,        /* generalized */
    PERSISTENT_IN,  /* MPI_Recv_init, started */
    NOTHING,        /* null */
    SEND,           /* MPI_Issend, long */
    INACTIVE,       /* MPI_Recv_init, not started */
    MATCHED,        /* MPI_Imrecv */
    PERSISTENT_OUT, /* MPI_Ssend_init, started */
    GENERAL_TOO,
    CANCELLED, /* MPI_Irecv */
    NOBODY,    /* MPI_Irecv from MPI_PROC_NULL */
    PLACES,
    ACTIVE = PLACES - 2
};

enum { LEN = 100000, SHORT = 16 };

static unsigned char *out, *in[PLACES];
static MPI_Request request[PLACES];
static struct grequest general[PLACES];
static int rank, size, next, previous;

static void make(MPI_Comm comm)
{
    MPI_Message message;

    MPI_Irecv(in[RECEIVE], SHORT, MPI_BYTE, MPI_ANY_SOURCE, RECEIVE, comm, &request[RECEIVE]);
    request[GENERAL] = grequest_start(&general[GENERAL], 3);
    request[GENERAL_TOO] = grequest_start(&general[GENERAL_TOO], 4);
    request[NOTHING] = MPI_REQUEST_NULL;
    MPI_Start(&request[PERSISTENT_IN]);
    MPI_Issend(out, LEN, MPI_BYTE, next, MATCHED, comm, &request[SEND]);
    MPI_Mprobe(previous, MATCHED, comm, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in[MATCHED], LEN, MPI_BYTE, &message, &request[MATCHED]);
    MPI_Start(&request[PERSISTENT_OUT]); /* matches PERSISTENT_IN */
    MPI_Irecv(in[CANCELLED], SHORT, MPI_BYTE, MPI_ANY_SOURCE, CANCELLED, comm, &request[CANCELLED]);
    MPI_Irecv(in[NOBODY], SHORT, MPI_BYTE, MPI_PROC_NULL, 1, comm, &request[NOBODY]);
}

/* The actions that let the last operations complete. */
static void let_go(MPI_Comm comm)
{
    int flag;

    MPI_Testall(PLACES, request, &flag, MPI_STATUSES_IGNORE);
    CHECK(!flag);
    MPI_Cancel(&request[CANCELLED]);
    MPI_Send(out, SHORT, MPI_BYTE, next, RECEIVE, comm);
    MPI_Testall(PLACES, request, &flag, MPI_STATUSES_IGNORE);
    CHECK(!flag);
    grequest_complete(&general[GENERAL], request[GENERAL]);
    grequest_complete(&general[GENERAL_TOO], request[GENERAL_TOO]);
}

static void check_received(int place, const MPI_Status *status, int tag, int len)
{
    int count;

    CHECK_INT(status->MPI_SOURCE, previous);
    CHECK_INT(status->MPI_TAG, tag);
    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_PATTERN(in[place], (size_t) len, (unsigned) previous);
    pattern_freshen(in[place], LEN);
}

static void check(enum complete_call call, const MPI_Status status[])
{
    int flag;

    check_received(RECEIVE, &status[RECEIVE], RECEIVE, SHORT);
    check_received(PERSISTENT_IN, &status[PERSISTENT_IN], PERSISTENT_IN, LEN);
    check_received(MATCHED, &status[MATCHED], MATCHED, LEN);
    grequest_check_status(&general[GENERAL], &status[GENERAL]);
    grequest_check_status(&general[GENERAL_TOO], &status[GENERAL_TOO]);
    grequest_check(&general[GENERAL], 1, 1);
    grequest_check(&general[GENERAL_TOO], 1, 1);
    MPI_Test_cancelled(&status[CANCELLED], &flag);
    CHECK(flag);
    if (complete_gives_all(call)) {
        complete_check_empty(&status[NOTHING]);
        complete_check_empty(&status[INACTIVE]);
    }
    for (int i = 0; i < PLACES; i++) {
        int persistent = i == PERSISTENT_IN || i == PERSISTENT_OUT || i == INACTIVE;

        CHECK_INT(request[i] != MPI_REQUEST_NULL, persistent);
    }
}

static void mixed(MPI_Comm comm)
{
    static const enum place persistent[] = { PERSISTENT_IN, PERSISTENT_OUT, INACTIVE };

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    pattern_fill(out, LEN, (unsigned) rank);
    MPI_Recv_init(in[PERSISTENT_IN], LEN, MPI_BYTE, previous, PERSISTENT_IN, comm,
                  &request[PERSISTENT_IN]);
    MPI_Ssend_init(out, LEN, MPI_BYTE, next, PERSISTENT_IN, comm, &request[PERSISTENT_OUT]);
    MPI_Recv_init(in[INACTIVE], SHORT, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
                  &request[INACTIVE]);
    for (int i = 0; i < COMPLETE_CALLS; i++) {
        enum complete_call call = (enum complete_call) i;
        MPI_Status status[PLACES];

        make(comm);
        let_go(comm);
        CHECK_INT(complete(call, PLACES, request, status),
                  complete_gives_all(call) ? PLACES : ACTIVE);
        check(call, status);
        MPI_Barrier(comm);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&request[persistent[i]]);
    CHECK_FRESH(in[CANCELLED], LEN);
    CHECK_FRESH(in[NOBODY], LEN);
    CHECK_FRESH(in[INACTIVE], LEN);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    out = mpitest_memory(LEN);
    for (int i = 0; i < PLACES; i++)
        in[i] = mpitest_memory(LEN);
    comms_each(mixed);
    for (int i = 0; i < PLACES; i++)
        free(in[i]);
    free(out);
    MPI_Finalize();
    return 0;
}
