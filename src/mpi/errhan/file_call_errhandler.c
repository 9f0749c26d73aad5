#include "mpi/errhan/errhan.h"

/* Calls the error handler of a file with an error code, of MPI_FILE_NULL the default handler of
 * files (§8.5). Succeeds when the handler returns.
 * Errors: MPI_ERR_FILE. */
int PMPI_File_call_errhandler(MPI_File fh, int errorcode)
{
    ENTER("MPI_File_call_errhandler", fh, errorcode);
    struct adi3_comm *c;

    TRY(mpir_file_arg(&call, fh, &c));
    (void) mpir_fail(call, errorcode, "fh, errorcode", fh, errorcode);
    return MPI_SUCCESS;
}
MPIR_WEAK(File_call_errhandler);
