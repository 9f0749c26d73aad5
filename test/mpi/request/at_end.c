/* at_end.c — MPIR_Request_at_end(): runs once, and before the program learns that a request is
 * complete, whichever call completes it. */
#include "mpi/core/hooks.h"
#include "mpitest.h"

enum { MANY = 300 };

/* What a Fortran section that was copied needs: the copy goes back into the user's memory. */
struct copy {
    int from[2], to[2];
    int runs;
};

static int rank, peer;
static int order[4], ordered;

static void end(void *arg)
{
    struct copy *c = arg;

    c->runs++;
    memcpy(c->to, c->from, sizeof c->to);
}

static void note(void *arg) { order[ordered++] = *(int *) arg; }

static MPI_Request receive(struct copy *c, int tag)
{
    MPI_Request r;

    *c = (struct copy) { .runs = 0 };
    MPI_Irecv(c->from, 2, MPI_INT, peer, tag, MPI_COMM_WORLD, &r);
    CHECK_INT(MPIR_Request_at_end(r, end, c), MPI_SUCCESS);
    return r;
}

static void send(int value, int tag)
{
    int data[2] = { value, value + 1 };
    MPI_Request r;

    MPI_Isend(data, 2, MPI_INT, peer, tag, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void check(const struct copy *c, int value)
{
    CHECK_INT(c->runs, 1);
    CHECK(c->to[0] == value && c->to[1] == value + 1);
}

enum way { WAIT, TEST, WAITANY, TESTANY, WAITALL, TESTALL, WAITSOME, TESTSOME, GET_STATUS, WAYS };

static void complete(enum way way, MPI_Request *r)
{
    int flag = 0, n = 0, index;
    MPI_Status s;

    while (!flag && !n) {
        switch (way) {
        case WAIT:
            n = 1, MPI_Wait(r, &s);
            break;
        case TEST:
            MPI_Test(r, &flag, &s);
            break;
        case WAITANY:
            n = 1, MPI_Waitany(1, r, &index, &s);
            break;
        case TESTANY:
            MPI_Testany(1, r, &index, &flag, &s);
            break;
        case WAITALL:
            n = 1, MPI_Waitall(1, r, &s);
            break;
        case TESTALL:
            MPI_Testall(1, r, &flag, &s);
            break;
        case WAITSOME:
            MPI_Waitsome(1, r, &n, &index, &s);
            break;
        case TESTSOME:
            MPI_Testsome(1, r, &n, &index, &s);
            break;
        case GET_STATUS:
            MPI_Request_get_status(*r, &flag, &s);
            break;
        case WAYS:
            break;
        }
    }
}

static void each_way(void)
{
    struct copy c;

    for (int way = 0; way < WAYS; way++) {
        MPI_Request r = receive(&c, way);
        CHECK_INT(c.runs, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        send(way * 100, way);
        complete(way, &r);
        check(&c, way * 100);
        if (way == GET_STATUS)
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        CHECK(r == MPI_REQUEST_NULL && c.runs == 1);
    }
}

/* Freed while it is under way; the next message tells that the first has come. */
static void freed(void)
{
    struct copy c, next;
    MPI_Request r = receive(&c, 1), s = receive(&next, 2);

    MPI_Request_free(&r);
    MPI_Barrier(MPI_COMM_WORLD);
    send(7, 1);
    send(8, 2);
    MPI_Wait(&s, MPI_STATUS_IGNORE);
    check(&next, 8);
    check(&c, 7);
}

static void cancelled(void)
{
    struct copy c;
    MPI_Request r = receive(&c, 3);
    MPI_Status s;
    int flag;

    MPI_Cancel(&r);
    MPI_Wait(&r, &s);
    MPI_Test_cancelled(&s, &flag);
    CHECK(flag && c.runs == 1);
}

static void truncated(void)
{
    struct copy c = { .runs = 0 };
    MPI_Request r;
    int err;

    MPI_Irecv(c.from, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &r);
    CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
    send(3, 4);
    MPI_Error_class(MPI_Wait(&r, MPI_STATUS_IGNORE), &err);
    CHECK(err == MPI_ERR_TRUNCATE && c.runs == 1);
}

static void many(void)
{
    static struct copy c[MANY];
    MPI_Request r[MANY];

    for (int i = 0; i < MANY; i++)
        r[i] = receive(&c[i], i);
    for (int i = MANY - 1; i >= 0; i--)
        send(i, i);
    MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        check(&c[i], i);
}

/* A large send, to have one that is not complete at once; collectives; several functions. */
static void other_operations(void)
{
    enum { LARGE = 1 << 20 };
    int *out = calloc(LARGE, sizeof *out), *in = calloc(LARGE, sizeof *in), value = rank, sum = 0;
    struct copy c = { .runs = 0 }, d = c;
    MPI_Request r[2];
    const int one = 1, two = 2;

    CHECK(out && in);
    MPI_Isend(out, LARGE, MPI_INT, peer, 5, MPI_COMM_WORLD, &r[0]);
    CHECK_INT(MPIR_Request_at_end(r[0], end, &c), MPI_SUCCESS);
    MPI_Recv(in, LARGE, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    CHECK_INT(c.runs, 1);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
    CHECK_INT(MPIR_Request_at_end(r[0], end, &c), MPI_SUCCESS);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[1]);
    CHECK_INT(MPIR_Request_at_end(r[1], end, &d), MPI_SUCCESS);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    CHECK(c.runs == 2 && d.runs == 1);

    MPI_Irecv(in, 1, MPI_INT, peer, 6, MPI_COMM_WORLD, &r[0]);
    MPIR_Request_at_end(r[0], note, (void *) &one);
    MPIR_Request_at_end(r[0], note, (void *) &two);
    CHECK_INT(ordered, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    send(1, 6); /* two integers: truncated */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    CHECK(ordered == 2 && order[0] == 2 && order[1] == 1);
    free(out);
    free(in);
}

static void complete_already(void)
{
    struct copy c = { .runs = 0 };
    MPI_Request r = MPI_REQUEST_NULL;
    int flag = 0;

    CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
    CHECK_INT(c.runs, 1);
    MPI_Isend(&flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
    CHECK_INT(c.runs, 2);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Irecv(c.from, 2, MPI_INT, peer, 7, MPI_COMM_WORLD, &r);
    send(5, 7);
    while (!flag)
        MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
    CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
    CHECK(c.runs == 3 && c.to[1] == 6);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK_INT(c.runs, 3);
}

static int class_of(int err)
{
    MPI_Error_class(err, &err);
    return err;
}

static int nothing(void *extra) { return (void) extra, MPI_SUCCESS; }
static int query(void *extra, MPI_Status *s)
{
    MPI_Status_set_elements(s, MPI_INT, 0);
    MPI_Status_set_cancelled(s, 0);
    return nothing(extra);
}
static int cancel(void *extra, int complete) { return (void) complete, nothing(extra); }

static void refused(void)
{
    struct copy c = { .runs = 0 };
    MPI_Request r;

    MPI_Recv_init(c.from, 2, MPI_INT, peer, 8, MPI_COMM_WORLD, &r);
    CHECK_INT(class_of(MPIR_Request_at_end(r, end, &c)), MPI_ERR_REQUEST);
    MPI_Request_free(&r);
    MPI_Grequest_start(query, nothing, cancel, NULL, &r);
    CHECK_INT(class_of(MPIR_Request_at_end(r, end, &c)), MPI_ERR_REQUEST);
    MPI_Grequest_complete(r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK_INT(class_of(MPIR_Request_at_end(0x123456, end, &c)), MPI_ERR_REQUEST);
    CHECK_INT(c.runs, 0);
}

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    peer = size - 1 - rank;
    each_way();
    freed();
    cancelled();
    truncated();
    many();
    other_operations();
    complete_already();
    refused();
    MPI_Finalize();
    return 0;
}
