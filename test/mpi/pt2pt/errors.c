/* errors.c — wrong arguments give the class that the standard names, Starling's texts give the
 * value, and the library stays usable. */
#include "../env/starling.h"
#include "pattern.h"

static int rank, size;

static void expect(int code, int class, const char *value)
{
    char text[MPI_MAX_ERROR_STRING];
    int len = -1;

    CHECK(code != MPI_SUCCESS);
    CHECK_INT(error_class(code), class);
    CHECK_INT(MPI_Error_string(code, text, &len), MPI_SUCCESS);
    CHECK(len > 0 && len < MPI_MAX_ERROR_STRING && text[len] == '\0');
    if (starling() && !strstr(text, value)) {
        fprintf(stderr, "no '%s' in '%s'\n", value, text);
        CHECK(!"the error text names the wrong value");
    }
}

/* All messages between the other processes still arrive. */
static void still_alive(void)
{
    int got = -1, next = (rank + 1) % size, previous = (rank + size - 1) % size;

    CHECK_INT(MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &got, 1, MPI_INT, previous, 0,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    CHECK_INT(got, previous);
}

static void of_sends(void)
{
    int x = 1;
    MPI_Request r;
    MPI_Datatype type;

    expect(MPI_Send(&x, -3, MPI_INT, rank, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "-3");
    expect(MPI_Send(&x, 1, MPI_DATATYPE_NULL, rank, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "");
    expect(MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK, "");
    expect(MPI_Send(&x, 1, MPI_INT, -77, 0, MPI_COMM_WORLD), MPI_ERR_RANK, "-77");
    expect(MPI_Ssend(&x, 1, MPI_INT, rank, -78, MPI_COMM_WORLD), MPI_ERR_TAG, "-78");
    expect(MPI_Rsend(&x, 1, MPI_INT, rank, 0, MPI_COMM_NULL), MPI_ERR_COMM, "");
    expect(MPI_Isend(&x, -4, MPI_INT, rank, 0, MPI_COMM_WORLD, &r), MPI_ERR_COUNT, "-4");
    expect(MPI_Issend(&x, 1, MPI_INT, size + 60, 0, MPI_COMM_WORLD, &r), MPI_ERR_RANK, "6");
    expect(MPI_Irsend(&x, 1, MPI_INT, rank, -79, MPI_COMM_WORLD, &r), MPI_ERR_TAG, "-79");
    MPI_Type_contiguous(2, MPI_INT, &type); /* D06: not committed */
    expect(MPI_Send(&x, 1, type, rank, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "");
    MPI_Type_free(&type);
}

static void of_receives(void)
{
    int x = 1, flag;
    MPI_Request r;
    MPI_Status s;

    expect(MPI_Recv(&x, -3, MPI_INT, rank, 0, MPI_COMM_WORLD, &s), MPI_ERR_COUNT, "-3");
    expect(MPI_Recv(&x, 1, MPI_DATATYPE_NULL, rank, 0, MPI_COMM_WORLD, &s), MPI_ERR_TYPE, "");
    expect(MPI_Recv(&x, 1, MPI_INT, -76, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK, "-76");
    expect(MPI_Irecv(&x, 1, MPI_INT, rank, -78, MPI_COMM_WORLD, &r), MPI_ERR_TAG, "-78");
    expect(MPI_Irecv(&x, 1, MPI_INT, rank, 0, MPI_COMM_NULL, &r), MPI_ERR_COMM, "");
    expect(MPI_Probe(size, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK, "");
    expect(MPI_Iprobe(-75, 0, MPI_COMM_WORLD, &flag, &s), MPI_ERR_RANK, "-75");
    expect(MPI_Sendrecv(&x, 1, MPI_INT, rank, 0, &x, 1, MPI_INT, -74, 0, MPI_COMM_WORLD, &s),
           MPI_ERR_RANK, "-74");
    expect(MPI_Sendrecv(&x, -5, MPI_INT, rank, 0, &x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &s),
           MPI_ERR_COUNT, "-5");
}

/* Errors that only Starling is known to find. */
static void of_pointers(void)
{
    int x = 1;
    MPI_Status s;

    expect(MPI_Send(NULL, 3, MPI_INT, rank, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "3");
    expect(MPI_Recv(NULL, 3, MPI_INT, rank, 0, MPI_COMM_WORLD, &s), MPI_ERR_BUFFER, "3");
    expect(MPI_Recv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "status");
    expect(MPI_Isend(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "request");
    expect(MPI_Irecv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG, "request");
    expect(MPI_Get_count(NULL, MPI_INT, &x), MPI_ERR_ARG, "status");
    expect(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &x), MPI_ERR_ARG, "MPI_STATUS_IGNORE");
    expect(MPI_Wait(NULL, &s), MPI_ERR_ARG, "request");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 50; i++) { /* error texts are kept in a ring: more than fit in it */
        of_sends();
        of_receives();
        still_alive();
        if (starling())
            of_pointers();
    }
    still_alive();
    MPI_Finalize();
    return 0;
}
