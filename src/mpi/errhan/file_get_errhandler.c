#include "mpi/errhan/errhan.h"

/* Returns the error handler of a file, of MPI_FILE_NULL the handler of files that are opened later
 * (§8.3.3). The caller frees the handle.
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG. */
int PMPI_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler)
{
    ENTER("MPI_File_get_errhandler", file, errhandler);
    struct adi3_comm *c;

    TRY(mpir_file_arg(&call, file, &c));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    *errhandler = mpir_errhandler_user_acquire(c->errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_errhandler);
