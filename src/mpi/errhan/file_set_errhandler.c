#include "mpi/errhan/errhan.h"

/* Sets the error handler of a file, of MPI_FILE_NULL the handler of files that are opened later
 * (§8.3.3, §13.7).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG. */
int PMPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler)
{
    ENTER("MPI_File_set_errhandler", file, errhandler);
    struct adi3_comm *c;

    TRY(mpir_file_arg(&call, file, &c));
    TRY(mpir_errhandler_arg(errhandler, MPIR_HANDLES_FILE));
    mpir_errhandler_attach(&c->errhandler, errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(File_set_errhandler);
