#include "errhan.h"

/* Gives the error handler of a file, of MPI_FILE_NULL that of files opened later, with a reference
 * that the user has to free (§8.3.3).
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
