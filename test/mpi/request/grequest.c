/* grequest.c — X01: when the query, free and cancel functions of generalized requests are called,
 * how often, and with what. */
#include "complete.h"
#include "grequest.h"

enum { N = 5 };

/* The request completes only by MPI_Grequest_complete. The query function sets the status; the free
 * function is called after it, once. */
static void by_each_call(void)
{
    for (int i = 0; i < COMPLETE_CALLS; i++) {
        enum complete_call call = (enum complete_call) i;
        struct grequest g[N];
        MPI_Request r[N];
        MPI_Status status[N];
        int flag = 1, index, count, indices[N];

        for (int k = 0; k < N; k++)
            r[k] = grequest_start(&g[k], 10 * i + k);
        MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        MPI_Testany(N, r, &index, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        MPI_Testsome(N, r, &count, indices, MPI_STATUSES_IGNORE);
        CHECK_INT(count, 0);
        for (int k = N - 1; k >= 0; k--) {
            MPI_Testall(N, r, &flag, MPI_STATUSES_IGNORE);
            CHECK(!flag);
            CHECK_INT(grequest_complete(&g[k], r[k]), MPI_SUCCESS);
            CHECK_INT(g[k].frees, 0);
        }
        CHECK_INT(complete(call, N, r, status), N);
        for (int k = 0; k < N; k++) {
            grequest_check(&g[k], 1, 1);
            grequest_check_status(&g[k], &status[k]);
            CHECK_INT(g[k].cancels, 0);
            CHECK(r[k] == MPI_REQUEST_NULL);
        }
    }
}

/* The query function gets a real status though the caller passes MPI_STATUS_IGNORE. */
static void without_status(void)
{
    struct grequest g[4];
    MPI_Request r[4];
    int n, flag = 0;

    for (int call = 0; call < 8; call++) {
        int index = 9, indices[4];

        for (int k = 0; k < 4; k++) {
            r[k] = grequest_start(&g[k], k);
            grequest_complete(&g[k], r[k]);
        }
        switch (call) {
        case 0:
            MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
            break;
        case 1:
            MPI_Testall(4, r, &flag, MPI_STATUSES_IGNORE);
            break;
        case 2:
            MPI_Waitsome(4, r, &n, indices, MPI_STATUSES_IGNORE);
            CHECK_INT(n, 4);
            break;
        case 3:
            MPI_Testsome(4, r, &n, indices, MPI_STATUSES_IGNORE);
            CHECK_INT(n, 4);
            break;
        default:
            for (int k = 0; k < 4; k++)
                if (call == 4)
                    MPI_Wait(&r[k], MPI_STATUS_IGNORE);
                else if (call == 5)
                    MPI_Test(&r[k], &flag, MPI_STATUS_IGNORE);
                else if (call == 6)
                    MPI_Waitany(4, r, &index, MPI_STATUS_IGNORE);
                else
                    MPI_Testany(4, r, &index, &flag, MPI_STATUS_IGNORE);
            break;
        }
        for (int k = 0; k < 4; k++) {
            grequest_check(&g[k], 1, 1);
            CHECK(r[k] == MPI_REQUEST_NULL);
        }
    }
}

/* Each MPI_Request_get_status of a complete request calls the query function, and frees nothing.
 * The query leaves MPI_ERROR alone, and so does the call (P06). */
static void get_status(void)
{
    struct grequest g;
    MPI_Request r = grequest_start(&g, 3);
    MPI_Status status = { .MPI_ERROR = 1234 };
    int flag = 1;

    MPI_Request_get_status(r, &flag, &status);
    CHECK(!flag);
    grequest_check(&g, 0, 0);
    grequest_complete(&g, r);
    for (int i = 1; i <= 3; i++) {
        MPI_Request_get_status(r, &flag, i == 2 ? MPI_STATUS_IGNORE : &status);
        CHECK(flag);
        grequest_check(&g, i, 0);
        grequest_check_status(&g, &status);
    }
    MPI_Wait(&r, &status);
    grequest_check(&g, 4, 1);
    CHECK_INT(status.MPI_ERROR, 1234);
    CHECK(r == MPI_REQUEST_NULL);
}

/* Freed when it is complete: the free function is called, and no query is needed. */
static void freed(void)
{
    struct grequest g;
    MPI_Request r = grequest_start(&g, 1);

    grequest_complete(&g, r);
    grequest_check(&g, 0, 0);
    CHECK_INT(MPI_Request_free(&r), MPI_SUCCESS);
    CHECK(r == MPI_REQUEST_NULL);
    grequest_check(&g, 0, 1);
}

/* MPI_Cancel calls back at once, says whether the request is complete, and completes nothing
 * itself. */
static void cancelled(void)
{
    struct grequest g;
    MPI_Request r = grequest_start(&g, 7);
    MPI_Status status;
    int flag = 1;

    g.complete = 99;
    CHECK_INT(MPI_Cancel(&r), MPI_SUCCESS);
    CHECK(g.cancels == 1 && !g.complete);
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    g.cancelled = 1;
    grequest_complete(&g, r);
    MPI_Wait(&r, &status);
    grequest_check(&g, 1, 1);
    grequest_check_status(&g, &status);

    r = grequest_start(&g, 8);
    grequest_complete(&g, r);
    MPI_Cancel(&r);
    CHECK(g.cancels == 1 && g.complete);
    grequest_check(&g, 0, 0);
    MPI_Wait(&r, &status);
    grequest_check(&g, 1, 1);
    grequest_check_status(&g, &status);
}

/* Callbacks that communicate, and that start and complete other generalized requests. */
struct nested {
    MPI_Request inner, receive;
    struct grequest g;
    int in, asked, freed;
};

static int nested_query(void *state, MPI_Status *status)
{
    struct nested *n = state;
    int out = 42, got = 0;

    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK_INT(got, 42);
    MPI_Status_set_elements(status, MPI_BYTE, 5);
    MPI_Status_set_cancelled(status, 0);
    if (n->asked++) /* the query may be called more than once */
        return MPI_SUCCESS;
    MPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    CHECK_INT(grequest_complete(&n->g, n->inner), MPI_SUCCESS);
    return MPI_SUCCESS;
}

static int nested_free(void *state)
{
    struct nested *n = state;
    MPI_Status status;

    MPI_Wait(&n->receive, MPI_STATUS_IGNORE);
    CHECK_INT(n->in, 42);
    MPI_Wait(&n->inner, &status);
    grequest_check(&n->g, 1, 1);
    grequest_check_status(&n->g, &status);
    n->freed++;
    return MPI_SUCCESS;
}

/* A cancel function that completes its own request, as a program would. */
static int cancel_completes(void *state, int complete)
{
    CHECK(!complete);
    return MPI_Grequest_complete(*(MPI_Request *) state);
}

static int says_cancelled(void *state, MPI_Status *status)
{
    (void) state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    return MPI_Status_set_cancelled(status, 1);
}

static int frees_nothing(void *state)
{
    (void) state;
    return MPI_SUCCESS;
}

static void cancel_that_completes(void)
{
    MPI_Request r;
    MPI_Status status;
    int flag = 0;

    MPI_Grequest_start(says_cancelled, frees_nothing, cancel_completes, &r, &r);
    CHECK_INT(MPI_Cancel(&r), MPI_SUCCESS);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
}

static void nested(void)
{
    for (int i = 0; i < COMPLETE_CALLS; i++) {
        struct nested n = { .in = 0 };
        MPI_Request r;
        MPI_Status status;
        int count;

        n.inner = grequest_start(&n.g, 6);
        MPI_Irecv(&n.in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &n.receive);
        MPI_Grequest_start(nested_query, nested_free, cancel_completes, &n, &r);
        MPI_Grequest_complete(r);
        CHECK_INT(complete((enum complete_call) i, 1, &r, &status), 1);
        CHECK_INT(n.freed, 1);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, 5);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    by_each_call();
    without_status();
    get_status();
    freed();
    cancelled();
    cancel_that_completes();
    nested();
    MPI_Finalize();
    return 0;
}
