/* grequest_last.c — X01: free is the last function of a generalized request to be called, when it is
 * both freed and complete; its code is the one that the caller gets, though the query has failed.
 *
 * MPICH 4.0 fails: it calls free before the request is complete, gives the code of the query, and
 * MPI_ERR_OTHER in an array. */
#include "../env/starling.h"
#include "grequest.h"

enum { CALLS = 4 };

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

/* In an array, its status has that code. */
static void in_status(void)
{
    for (int some = 0; some < 2; some++) {
        struct grequest g;
        MPI_Request r = grequest_start(&g, 1);
        MPI_Status status = { .MPI_ERROR = MPI_SUCCESS };
        int n, at;

        g.free_code = MPI_ERR_DIMS;
        grequest_complete(&g, r);
        CHECK_INT(
            error_class(some ? MPI_Waitsome(1, &r, &n, &at, &status) : MPI_Waitall(1, &r, &status)),
            MPI_ERR_IN_STATUS);
        CHECK_INT(error_class(status.MPI_ERROR), MPI_ERR_DIMS);
    }
}

/* Freed before it is complete, it is called back only then; the copy of the handle is good for
 * that long. */
static void freed_first(void)
{
    for (int code = MPI_SUCCESS; code <= MPI_ERR_DIMS; code += MPI_ERR_DIMS) {
        struct grequest g;
        MPI_Request r = grequest_start(&g, 1), copy = r;

        g.free_code = code;
        CHECK_INT(MPI_Request_free(&r), MPI_SUCCESS);
        CHECK(r == MPI_REQUEST_NULL);
        grequest_check(&g, 0, 0);
        CHECK_INT(MPI_Cancel(&copy), MPI_SUCCESS);
        CHECK(g.cancels == 1 && !g.complete);
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
    in_status();
    freed_first();
    MPI_Finalize();
    return 0;
}
