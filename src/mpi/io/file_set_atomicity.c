#include "mpi/io/io.h"

/* Sets whether accesses of the processes of the file that overlap are done one after the other
 * (§13.6.1). flag is the same in all processes. Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_REQUEST, MPI_ERR_NOT_SAME. */
int PMPI_File_set_atomicity(MPI_File fh, int flag)
{
    ENTER("MPI_File_set_atomicity", fh, flag);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_io_compare(f->comm, mpir_idle_file_arg(f), flag != 0, "flag"));
    f->atomic = flag;
    return mpir_leave(&call);
}
MPIR_WEAK(File_set_atomicity);
