/* grequest_poll.c — MPICH's generalized requests that calls of MPI poll: in waits and tests, beside
 * others, by a class; the function may call MPI, and is not called when the request is complete.
 * MPICH 4.0 refuses NULL as the function that polls, where there is one that waits. */
#include <unistd.h>
#include "mpitest.h"

enum { MANY = 20000, SECONDS = 20 };

struct operation {
    MPI_Request request;
    int left, polls, freed; /* polls until it is complete */
};

static int query(void *state, MPI_Status *s)
{
    (void) state;
    MPI_Status_set_cancelled(s, 0);
    MPI_Status_set_elements(s, MPI_INT, 3);
    s->MPI_SOURCE = MPI_UNDEFINED;
    s->MPI_TAG = 9;
    return MPI_SUCCESS;
}

static int end(void *state)
{
    ((struct operation *) state)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void) state, (void) complete;
    return MPI_SUCCESS;
}

/* Asks for messages, which polls once more. */
static int poll_one(void *state, MPI_Status *s)
{
    struct operation *o = state;
    int flag;

    (void) s;
    CHECK(o->left > 0);
    o->polls++;
    MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return --o->left ? MPI_SUCCESS : MPI_Grequest_complete(o->request);
}

static int wait_all(int n, void **states, double timeout, MPI_Status *s)
{
    struct operation *o = states[0];

    (void) timeout, (void) s;
    CHECK_INT(n, 1);
    o->polls++;
    return MPI_Grequest_complete(o->request);
}

static void start(struct operation *o, int polls)
{
    *o = (struct operation) { .left = polls };
    CHECK_INT(MPIX_Grequest_start(query, end, cancel, poll_one, wait_all, o, &o->request),
              MPI_SUCCESS);
}

static void waits(void)
{
    struct operation o;
    MPI_Status s;
    int flag = 0, count = 0;

    start(&o, 5);
    CHECK_INT(MPI_Wait(&o.request, &s), MPI_SUCCESS);
    MPI_Get_count(&s, MPI_INT, &count);
    CHECK(o.polls == 5 && o.freed == 1 && s.MPI_TAG == 9 && count == 3);
    start(&o, 1000);
    while (!flag)
        MPI_Test(&o.request, &flag, MPI_STATUS_IGNORE);
    CHECK(o.polls == 1000 && o.freed == 1 && o.request == MPI_REQUEST_NULL);
    start(&o, MANY); /* longer than a wait spins: it must not sleep, as no thread would wake it */
    alarm(SECONDS);
    CHECK_INT(MPI_Wait(&o.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    alarm(0);
    CHECK(o.polls == MANY && o.freed == 1);
    CHECK_INT(MPIX_Grequest_start(query, end, cancel, NULL, wait_all, &o, &o.request), MPI_SUCCESS);
    CHECK_INT(MPI_Wait(&o.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK(o.polls == MANY + 1 && o.freed == 2);
}

/* Several of them, which end at different times, and a message. */
static void together(int rank, int size)
{
    enum { N = 10 };
    struct operation o[N];
    MPI_Request r[N + 2];
    int x = rank, y = -1;

    for (int i = 0; i < N; i++) {
        start(&o[i], 1 + 7 * (N - i));
        r[i] = o[i].request;
    }
    MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[N]);
    MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[N + 1]);
    CHECK_INT(MPI_Waitall(N + 2, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    CHECK_INT(y, (rank + size - 1) % size);
    for (int i = 0; i < N; i++)
        CHECK(o[i].left == 0 && o[i].freed == 1);
}

static void classes(void)
{
    struct operation o = { .left = 3 };
    MPIX_Grequest_class class;

    CHECK_INT(MPIX_Grequest_class_create(query, end, cancel, poll_one, wait_all, &class),
              MPI_SUCCESS);
    for (int i = 1; i <= 2; i++) {
        o.left = 3;
        CHECK_INT(MPIX_Grequest_class_allocate(class, &o, &o.request), MPI_SUCCESS);
        CHECK_INT(MPI_Wait(&o.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
        CHECK(o.polls == 3 * i && o.freed == i);
    }
    CHECK(MPIX_Grequest_class_allocate(class + 1, &o, &o.request) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    waits();
    together(rank, size);
    classes();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
