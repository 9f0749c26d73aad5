/* attach.c — E01, E02, G15: a communicator's error handler is called with its handle and the code,
 * and the call returns the code that the handler leaves. The handler is inherited, stays active
 * when it is freed, and serves the calls without an object when it is that of MPI_COMM_WORLD. */
#include "handler.h"

static int x, size;

static int wrong(MPI_Comm comm) { return MPI_Send(&x, 1, MPI_INT, size, 0, comm); }

static void called_and_inherited(MPI_Comm comm)
{
    MPI_Errhandler h = handler_make();
    MPI_Comm dup, part;

    CHECK_INT(MPI_Comm_set_errhandler(comm, h), MPI_SUCCESS);
    CHECK_INT(error_class(wrong(comm)), MPI_ERR_RANK);
    handler_check(comm, MPI_ERR_RANK);
    handler_changes = MPI_ERR_OTHER;
    CHECK_INT(wrong(comm), MPI_ERR_OTHER);
    handler_check(comm, MPI_ERR_RANK);
    handler_changes = 0;

    MPI_Comm_dup(comm, &dup);
    MPI_Comm_split(comm, 0, 0, &part);
    CHECK_INT(MPI_Errhandler_free(&h), MPI_SUCCESS);
    CHECK(h == MPI_ERRHANDLER_NULL);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(wrong(comm)), MPI_ERR_RANK);
    CHECK_INT(handler_calls(), 0);
    CHECK_INT(error_class(wrong(dup)), MPI_ERR_RANK);
    handler_check(dup, MPI_ERR_RANK);
    MPI_Comm_free(&dup);
    CHECK_INT(error_class(wrong(part)), MPI_ERR_RANK);
    handler_check(part, MPI_ERR_RANK);
    MPI_Comm_free(&part);
}

/* Each handle that a call returns has to be freed, and is valid until then. */
static void references(MPI_Comm comm)
{
    MPI_Errhandler h = handler_make(), again, third;

    MPI_Comm_set_errhandler(comm, h);
    CHECK_INT(MPI_Errhandler_free(&h), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_get_errhandler(comm, &again), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_get_errhandler(comm, &third), MPI_SUCCESS);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK_INT(MPI_Errhandler_free(&third), MPI_SUCCESS);
    MPI_Comm_set_errhandler(comm, again);
    CHECK_INT(MPI_Errhandler_free(&again), MPI_SUCCESS);
    (void) wrong(comm);
    handler_check(comm, MPI_ERR_RANK);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);

    h = MPI_ERRORS_RETURN;
    CHECK_INT(MPI_Errhandler_free(&h), MPI_SUCCESS);
    CHECK(h == MPI_ERRHANDLER_NULL);
    CHECK_INT(MPI_Comm_get_errhandler(comm, &h), MPI_SUCCESS);
    CHECK(h == MPI_ERRORS_RETURN);
}

static void removed_names(MPI_Comm comm)
{
    MPI_Errhandler h, got;

    CHECK_INT(MPI_Errhandler_create(handler, &h), MPI_SUCCESS);
    CHECK_INT(MPI_Errhandler_set(comm, h), MPI_SUCCESS);
    CHECK_INT(MPI_Errhandler_get(comm, &got), MPI_SUCCESS);
    CHECK(got == h);
    (void) wrong(comm);
    handler_check(comm, MPI_ERR_RANK);
    MPI_Errhandler_set(comm, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&h);
    MPI_Errhandler_free(&got);
}

static void without_object(void)
{
    MPI_Errhandler h = handler_make();

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, h);
    CHECK_INT(error_class(MPI_Comm_size(MPI_COMM_NULL, &x)), MPI_ERR_COMM);
    CHECK_INT(handler_calls(), 1);
    CHECK_INT(error_class(MPI_Type_size(MPI_DATATYPE_NULL, &x)), MPI_ERR_TYPE);
    CHECK_INT(handler_calls(), 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&h);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &size);
    called_and_inherited(comm);
    called_and_inherited(MPI_COMM_WORLD);
    references(comm);
    removed_names(comm);
    without_object();
    for (int i = 0; i < 100000; i++) { /* they would fill the memory if they were not freed */
        MPI_Errhandler h = handler_make();
        MPI_Comm_set_errhandler(comm, h);
        MPI_Errhandler_free(&h);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
