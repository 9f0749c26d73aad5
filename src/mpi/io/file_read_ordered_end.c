#include "mpi/io/io.h"

/* Completes what MPI_File_read_ordered_begin has begun on the file, with the same buffer
 * (§13.4.5). Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, MPI_ERR_REQUEST when it has not been begun,
 * MPI_ERR_BUFFER when buf is another one, and those of the file. */
int PMPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status)
{
    ENTER("MPI_File_read_ordered_end", fh, buf, status);

    TRY(mpir_io_end(&call, fh, buf, "MPI_File_read_ordered_begin", status));
    return mpir_leave(&call);
}
MPIR_WEAK(File_read_ordered_end);
