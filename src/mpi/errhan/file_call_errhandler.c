#include "errhan.h"

/* Calls the error handler of a file, or the default of files for MPI_FILE_NULL, with a code, and
 * succeeds when that returns (§8.5).
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
