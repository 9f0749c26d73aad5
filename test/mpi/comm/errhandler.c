/* errhandler.c — G15, E02: a new communicator inherits the error handler of the one it is made of;
 * afterwards each has its own. Calls without an object use the handler of MPI_COMM_WORLD. */
#include "../env/starling.h"

static MPI_Errhandler handler_of(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

    MPI_Comm_get_errhandler(comm, &handler);
    return handler;
}

int main(int argc, char **argv)
{
    MPI_Comm a, b, c;
    int rank, size, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(handler_of(MPI_COMM_WORLD) == MPI_ERRORS_ARE_FATAL);
    CHECK(handler_of(MPI_COMM_SELF) == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    CHECK(handler_of(a) == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN);
    CHECK(handler_of(a) == MPI_ERRORS_RETURN);
    CHECK(handler_of(MPI_COMM_WORLD) == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_dup(a, &b);
    MPI_Comm_split(a, 0, -rank, &c);
    CHECK(handler_of(b) == MPI_ERRORS_RETURN);
    CHECK(handler_of(c) == MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Send(&x, 1, MPI_INT, size, 0, b)), MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Send(&x, 1, MPI_INT, size, 0, c)), MPI_ERR_RANK);
    MPI_Comm_set_errhandler(a, MPI_ERRORS_ARE_FATAL);
    CHECK(handler_of(b) == MPI_ERRORS_RETURN);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Comm_size(MPI_COMM_NULL, &x)), MPI_ERR_COMM);
    CHECK_INT(error_class(MPI_Type_size(MPI_DATATYPE_NULL, &x)), MPI_ERR_TYPE);
    if (starling()) {
        CHECK_INT(error_class(MPI_Comm_set_errhandler(b, MPI_ERRHANDLER_NULL)), MPI_ERR_ARG);
        CHECK_INT(error_class(MPI_Comm_get_errhandler(b, NULL)), MPI_ERR_ARG);
    }
    MPI_Comm_free(&c);
    MPI_Comm_free(&b);
    MPI_Comm_free(&a);
    MPI_Finalize();
    return 0;
}
