/* idup_requests.c — G04, R09: the request of MPI_Comm_idup can be neither freed nor cancelled nor
 * started: it must be completed, and still can be after such a call. Until then the library refuses
 * calls that send in the communicator. Only for Starling: to other libraries such calls may do
 * anything. */
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

static void not_complete(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    CHECK_INT(error_class(err), MPI_ERR_COMM);
    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, "is not complete yet: complete its request from MPI_Comm_idup first"));
}

/* All calls that send, and those that free the communicator. */
static void refused_in(MPI_Comm made)
{
    MPI_Comm other;
    MPI_Request request;
    MPI_Message message;
    int x = 0, flag;

    not_complete(MPI_Send(&x, 1, MPI_INT, 0, 0, made));
    not_complete(MPI_Isend(&x, 1, MPI_INT, 0, 0, made, &request));
    not_complete(MPI_Irecv(&x, 1, MPI_INT, 0, 0, made, &request));
    not_complete(MPI_Recv_init(&x, 1, MPI_INT, 0, 0, made, &request));
    not_complete(MPI_Improbe(0, 0, made, &flag, &message, MPI_STATUS_IGNORE));
    not_complete(MPI_Bcast(&x, 1, MPI_INT, 0, made));
    not_complete(MPI_Ibarrier(made, &request));
    not_complete(MPI_Comm_dup(made, &other));
    not_complete(MPI_Comm_idup(made, &other, &request));
    not_complete(MPI_Comm_split(made, 0, 0, &other));
    other = made;
    not_complete(MPI_Comm_free(&other));
    CHECK(other == made);
}

static void wrong_use(void)
{
    MPI_Comm made;
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

    /* Process 0 calls last, after a message of each other process: until then the requests of the
     * others are not complete. */
    if (model_process() > 0 && all.size > 1) {
        MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
        refused_in(made);
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

    setenv("STARLING_CHECK_LEAKS", "no", 1); /* it leaves objects on purpose */
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &all.size);
    for (int i = 0; i < all.size; i++)
        all.local[i] = i;
    for (int i = 0; i < 5; i++)
        wrong_use();
    /* At MPI_Finalize some requests are complete, and some are not. */
    for (int i = 0; i < 5; i++)
        if (i != 3 || model_process() % 2 == 0)
            MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    MPI_Finalize();
    return 0;
}
