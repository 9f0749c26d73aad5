/* idup_requests.c — G04, R09: the request of MPI_Comm_idup can be neither freed nor cancelled nor
 * started: it must be completed, and still can be. Until then the communicator is none. Only for
 * Starling: to other libraries such calls may do anything. */
#include "../env/starling.h"
#include "model.h"

static struct model all;

static void refused(MPI_Request request)
{
    MPI_Request copy = request;

    CHECK_INT(error_class(MPI_Request_free(&copy)), MPI_ERR_REQUEST);
    CHECK(copy == request);
    CHECK_INT(error_class(MPI_Cancel(&copy)), MPI_ERR_REQUEST);
    CHECK_INT(error_class(MPI_Start(&copy)), MPI_ERR_REQUEST);
    CHECK(copy == request);
}

static void wrong_use(void)
{
    MPI_Comm made, other;
    MPI_Request request, again;
    MPI_Status status;
    int cancelled = -1, count = -1, x;

    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    again = request;
    refused(request);
    CHECK_INT(MPI_Wait(&request, &status), MPI_SUCCESS);
    CHECK_INT(status.MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK_INT(cancelled, 0);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_INT(count, 0);
    CHECK_INT(error_class(MPI_Wait(&again, &status)), MPI_ERR_REQUEST);
    model_end(&made, &all);

    /* Whoever is not the first cannot have it before it has heard of that. */
    if (model_process() > 0 && all.size > 1) {
        MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
        CHECK_INT(error_class(MPI_Comm_rank(made, &x)), MPI_ERR_COMM);
        CHECK_INT(error_class(MPI_Comm_dup(made, &other)), MPI_ERR_COMM);
        CHECK_INT(error_class(MPI_Comm_free(&made)), MPI_ERR_COMM);
        refused(request);
        MPI_Send(&x, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < all.size; i++)
            MPI_Recv(&x, 0, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    model_end(&made, &all);
}

int main(int argc, char **argv)
{
    MPI_Comm made;
    MPI_Request request;

    setenv("STARLING_CHECK_LEAKS", "no", 1); /* it leaves something on purpose */
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &all.size);
    for (int i = 0; i < all.size; i++)
        all.local[i] = i;
    for (int i = 0; i < 5; i++)
        wrong_use();
    /* At the end of MPI some are complete, and some are not. */
    for (int i = 0; i < 5; i++)
        if (i != 3 || model_process() % 2 == 0)
            MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    MPI_Finalize();
    return 0;
}
