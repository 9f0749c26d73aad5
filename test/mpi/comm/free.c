/* free.c — G08: the pending messages of a freed communicator still complete; freeing a predefined
 * communicator is an error. */
#include "../env/starling.h"
#include "../pt2pt/pattern.h"

static int rank, size, next, previous;

static void pending(int len)
{
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Comm comm, other;
    int count;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(in, len, MPI_BYTE, MPI_ANY_SOURCE, 1, comm, &request[0]);
    MPI_Isend(out, len, MPI_BYTE, next, 1, comm, &request[1]);
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &other); /* its receive takes no message of the old communicator */
    MPI_Waitall(2, request, status);
    MPI_Get_count(&status[0], MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_INT(status[0].MPI_SOURCE, previous);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    MPI_Comm_free(&other);
    free(in);
    free(out);
}

/* The receiver frees the communicator and the request before the message arrives. */
static void freed_request(void)
{
    static int value, got;
    MPI_Request request;
    MPI_Comm comm;

    for (int i = 0; i < 100; i++) {
        value = i;
        got = -1;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Isend(&value, 1, MPI_INT, next, 1, comm, &request);
        MPI_Request_free(&request);
        MPI_Recv(&got, 1, MPI_INT, previous, 1, comm, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
        CHECK_INT(got, i);
        MPI_Barrier(MPI_COMM_WORLD); /* the next iteration may change value */
    }
}

/* A failed operation of a freed communicator still has its error handler. */
static void failure_after(void)
{
    int out[2] = { 1, 2 }, in;
    MPI_Request request;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Irecv(&in, 1, MPI_INT, previous, 1, comm, &request);
    MPI_Barrier(comm);
    MPI_Send(out, 2, MPI_INT, next, 1, comm);
    MPI_Comm_free(&comm);
    CHECK_INT(error_class(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
}

static void predefined(void)
{
    MPI_Comm comms[] = { MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL };

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++) {
        MPI_Comm before = comms[i];

        CHECK_INT(error_class(MPI_Comm_free(&comms[i])), MPI_ERR_COMM);
        CHECK(comms[i] == before);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int i = 0; i < PATTERN_WAYS; i++)
        pending(pattern_ways[i]);
    freed_request();
    if (starling())
        failure_after();
    predefined();
    MPI_Finalize();
    return 0;
}
