#include "mpi/io/io.h"

/* Writes what processes have written to the file to its storage, and makes what others have
 * written before readable (§13.6.1). What was written is there after a crash of the machine.
 * Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_REQUEST, MPI_ERR_IO, MPI_ERR_NO_SPACE, MPI_ERR_QUOTA. */
int PMPI_File_sync(MPI_File fh)
{
    ENTER("MPI_File_sync", fh);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    int err = mpir_idle_file_arg(f);
    if (!err)
        err = adi3_file_sync(f);
    TRY(mpir_io_consensus(f->comm, err, "write the file to its storage"));
    return mpir_leave(&call);
}
MPIR_WEAK(File_sync);
