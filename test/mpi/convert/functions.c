/* functions.c — E10: handle conversions are functions, under both names, so that other languages
 * can call them. The null file is 0 in Fortran, and an invalid file becomes an invalid file.
 *
 * MPICH 4.0 fails: most are macros only. */
#include "../env/starling.h"

#define BOTH(name, type)                                                                           \
    do {                                                                                           \
        MPI_Fint (*volatile c2f)(type) = MPI_##name##_c2f;                                         \
        type (*volatile f2c)(MPI_Fint) = MPI_##name##_f2c;                                         \
        type handle = PMPI_##name##_f2c(17);                                                       \
        CHECK_INT(c2f(handle), PMPI_##name##_c2f(handle));                                         \
        CHECK(f2c(17) == handle);                                                                  \
    } while (0)

int main(int argc, char **argv)
{
    MPI_Errhandler h;

    BOTH(Comm, MPI_Comm);
    BOTH(Type, MPI_Datatype);
    BOTH(Group, MPI_Group);
    BOTH(Request, MPI_Request);
    BOTH(Message, MPI_Message);
    BOTH(File, MPI_File);
    BOTH(Win, MPI_Win);
    BOTH(Op, MPI_Op);
    BOTH(Info, MPI_Info);
    BOTH(Errhandler, MPI_Errhandler);
    CHECK_INT(MPI_File_c2f(MPI_FILE_NULL), 0);
    MPI_Init(&argc, &argv);
    CHECK_INT(error_class(MPI_File_get_errhandler(MPI_File_f2c(12345), &h)), MPI_ERR_FILE);
    MPI_Finalize();
    return 0;
}
