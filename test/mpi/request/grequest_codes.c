/* grequest_codes.c — X01: the codes that the callbacks of generalized requests return, as calls
 * with one request pass them on. */
#include "../env/starling.h"
#include "complete.h"
#include "grequest.h"

static MPI_Request failing(struct grequest *g, int query_code, int free_code)
{
    MPI_Request r = grequest_start(g, 1);

    g->query_code = query_code;
    g->free_code = free_code;
    grequest_complete(g, r);
    return r;
}

/* One of the four calls that complete one request. */
static int end_one(int call, MPI_Request *r)
{
    MPI_Status status = { .MPI_ERROR = 4711 };
    int flag, index, err;

    if (call == WAIT)
        err = MPI_Wait(r, &status);
    else if (call == TEST)
        err = MPI_Test(r, &flag, &status);
    else if (call == WAITANY)
        err = MPI_Waitany(1, r, &index, &status);
    else
        err = MPI_Testany(1, r, &index, &flag, &status);
    CHECK(*r == MPI_REQUEST_NULL);
    CHECK_INT(status.MPI_ERROR, 4711);
    return err;
}

static void of_one(void)
{
    for (int call = WAIT; call <= TESTANY; call++) {
        struct grequest g;
        MPI_Request r = failing(&g, MPI_SUCCESS, MPI_ERR_DIMS);

        CHECK_INT(error_class(end_one(call, &r)), MPI_ERR_DIMS);
        grequest_check(&g, 1, 1);
        r = failing(&g, MPI_SUCCESS, MPI_SUCCESS);
        CHECK_INT(end_one(call, &r), MPI_SUCCESS);
    }
}

static void of_others(void)
{
    struct grequest g;
    MPI_Request r = grequest_start(&g, 1);
    int flag;

    g.cancel_code = MPI_ERR_TOPOLOGY;
    CHECK_INT(error_class(MPI_Cancel(&r)), MPI_ERR_TOPOLOGY);
    CHECK_INT(g.cancels, 1);
    grequest_complete(&g, r);
    CHECK_INT(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);

    r = failing(&g, MPI_SUCCESS, MPI_ERR_DIMS);
    CHECK_INT(error_class(MPI_Request_free(&r)), MPI_ERR_DIMS);
    grequest_check(&g, 0, 1);

    r = failing(&g, MPI_ERR_TOPOLOGY, MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE)), MPI_ERR_TOPOLOGY);
    grequest_check(&g, 1, 0);
    g.query_code = MPI_SUCCESS;
    CHECK_INT(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    grequest_check(&g, 2, 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    of_one();
    of_others();
    MPI_Finalize();
    return 0;
}
