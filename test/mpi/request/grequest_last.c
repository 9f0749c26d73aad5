/* grequest_last.c — X01: free is the last function of a generalized request that is called, when
 * the request is both freed and complete. Its code is the one that the caller gets, even if the
 * query has failed, and the one in an array's status.
 *
 * MPICH 4.0 fails: it calls free before the request is complete, gives the code of the query, and
 * MPI_ERR_OTHER or success in an array. */
#include "../env/starling.h"
#include "complete.h"
#include "grequest.h"

enum { CALLS = 4, N = 4, BAD = 2 };

static MPI_Request failing(struct grequest *g, int query_code, int free_code)
{
    MPI_Request r = grequest_start(g, 1);

    g->query_code = query_code;
    g->free_code = free_code;
    grequest_complete(g, r);
    return r;
}

static int end(int call, MPI_Request *r)
{
    int flag, index;

    if (call == 0)
        return MPI_Wait(r, MPI_STATUS_IGNORE);
    if (call == 1)
        return MPI_Test(r, &flag, MPI_STATUS_IGNORE);
    if (call == 2)
        return MPI_Waitany(1, r, &index, MPI_STATUS_IGNORE);
    return MPI_Testany(1, r, &index, &flag, MPI_STATUS_IGNORE);
}

static void free_fails_last(void)
{
    for (int call = 0; call < CALLS; call++) {
        struct grequest g;
        MPI_Request r = grequest_start(&g, 1);

        g.query_code = MPI_ERR_TOPOLOGY;
        g.free_code = MPI_ERR_DIMS;
        grequest_complete(&g, r);
        CHECK_INT(error_class(end(call, &r)), MPI_ERR_DIMS);
        grequest_check(&g, 1, 1);
        CHECK(r == MPI_REQUEST_NULL);
    }
}

static int end_all(int call, MPI_Request r[], MPI_Status status[])
{
    int n = -1, indices[N], flag, err;

    if (call == WAITALL)
        return MPI_Waitall(N, r, status);
    if (call == TESTALL)
        return MPI_Testall(N, r, &flag, status);
    err = call == WAITSOME ? MPI_Waitsome(N, r, &n, indices, status)
                           : MPI_Testsome(N, r, &n, indices, status);
    CHECK_INT(n, N);
    for (int i = 0; i < N; i++)
        CHECK_INT(indices[i], i);
    return err;
}

/* P17: the status of the failed request has its code; the others have success or are pending. */
static void check(struct grequest g[], MPI_Request r[], const MPI_Status *status)
{
    for (int i = 0; i < N; i++) {
        if (r[i] != MPI_REQUEST_NULL) {
            if (status)
                CHECK_INT(error_class(status[i].MPI_ERROR), MPI_ERR_PENDING);
            CHECK_INT(g[i].frees, 0);
            CHECK_INT(MPI_Wait(&r[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
        } else if (status) {
            CHECK_INT(error_class(status[i].MPI_ERROR), i == BAD ? MPI_ERR_DIMS : MPI_SUCCESS);
        }
        grequest_check(&g[i], 1, 1);
    }
}

static void of_many(int ignore)
{
    for (int call = WAITSOME; call <= TESTALL; call++) {
        struct grequest g[N];
        MPI_Request r[N];
        MPI_Status status[N];

        for (int i = 0; i < N; i++)
            r[i] = failing(&g[i], MPI_SUCCESS, i == BAD ? MPI_ERR_DIMS : MPI_SUCCESS);
        int err = end_all(call, r, ignore ? MPI_STATUSES_IGNORE : status);
        CHECK_INT(error_class(err), MPI_ERR_IN_STATUS);
        CHECK(r[BAD] == MPI_REQUEST_NULL);
        check(g, r, ignore ? NULL : status);
    }
}

/* A request that is freed before it is complete is called back only on completion; the copy of the
 * handle is valid until then. */
static void freed_first(void)
{
    for (int code = MPI_SUCCESS; code <= MPI_ERR_DIMS; code += MPI_ERR_DIMS) {
        struct grequest g;
        MPI_Request r = grequest_start(&g, 1), copy = r;

        g.free_code = code;
        CHECK_INT(MPI_Request_free(&r), MPI_SUCCESS);
        CHECK(r == MPI_REQUEST_NULL);
        grequest_check(&g, 0, 0);
        CHECK_INT(error_class(grequest_complete(&g, copy)), code);
        grequest_check(&g, 0, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    free_fails_last();
    of_many(0);
    of_many(1);
    freed_first();
    MPI_Finalize();
    return 0;
}
