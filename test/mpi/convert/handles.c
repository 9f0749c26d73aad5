/* handles.c — 17.2.4: handles convert to Fortran and back: predefined, null and invalid ones and
 * those of the program; before MPI_Init and after MPI_Finalize, too, as the conversions may be
 * macros. */
#include "mpitest.h"

#define SAME(name, handle) CHECK(MPI_##name##_f2c(MPI_##name##_c2f(handle)) == (handle))
/* No two handles have the same number. */
#define APART(name, a, b) CHECK(MPI_##name##_c2f(a) != MPI_##name##_c2f(b))

static void predefined(void)
{
    SAME(Comm, MPI_COMM_NULL);
    SAME(Comm, MPI_COMM_WORLD);
    SAME(Comm, MPI_COMM_SELF);
    APART(Comm, MPI_COMM_WORLD, MPI_COMM_SELF);
    APART(Comm, MPI_COMM_WORLD, MPI_COMM_NULL);
    SAME(Type, MPI_DATATYPE_NULL);
    SAME(Type, MPI_INT);
    SAME(Type, MPI_DOUBLE_INT);
    APART(Type, MPI_INT, MPI_FLOAT);
    SAME(Group, MPI_GROUP_NULL);
    SAME(Group, MPI_GROUP_EMPTY);
    APART(Group, MPI_GROUP_NULL, MPI_GROUP_EMPTY);
    SAME(Request, MPI_REQUEST_NULL);
    SAME(Message, MPI_MESSAGE_NULL);
    SAME(Message, MPI_MESSAGE_NO_PROC);
    SAME(Win, MPI_WIN_NULL);
    SAME(Op, MPI_OP_NULL);
    SAME(Op, MPI_SUM);
    SAME(Info, MPI_INFO_NULL);
    SAME(Errhandler, MPI_ERRHANDLER_NULL);
    SAME(Errhandler, MPI_ERRORS_RETURN);
    APART(Errhandler, MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL);
    CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Datatype type;
    MPI_Group group;
    MPI_Comm comm;

    predefined();
    MPI_Init(&argc, &argv);
    predefined();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Send_init(&argc, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request);
    SAME(Comm, comm);
    SAME(Group, group);
    SAME(Type, type);
    SAME(Request, request);
    CHECK(MPI_Comm_f2c(77) != MPI_COMM_NULL); /* an invalid handle stays invalid */
    MPI_Request_free(&request);
    MPI_Type_free(&type);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    predefined();
    return 0;
}
