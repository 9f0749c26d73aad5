#include "mpi/io/io.h"

/* Returns the access mode with which the file was opened (§13.2.7).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG. */
int PMPI_File_get_amode(MPI_File fh, int *amode)
{
    ENTER("MPI_File_get_amode", fh, amode);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_out_arg(amode, "amode"));
    *amode = f->amode;
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_amode);
