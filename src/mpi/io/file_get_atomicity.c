#include "mpi/io/io.h"

/* Returns whether atomic mode is set (§13.6.1).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG. */
int PMPI_File_get_atomicity(MPI_File fh, int *flag)
{
    ENTER("MPI_File_get_atomicity", fh, flag);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_out_arg(flag, "flag"));
    *flag = f->atomic;
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_atomicity);
