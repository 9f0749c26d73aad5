#include "mpi/io/io.h"

/* Writes count elements behind the individual file pointer (§13.4.3). The pointer is behind
 * them.
 * Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG,
 * MPI_ERR_READ_ONLY, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL, MPI_ERR_IO when the
 * data is no whole number of etypes, and those of the file. */
int PMPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype,
                    MPI_Status *status)
{
    ENTER("MPI_File_write", fh, buf, count, datatype, status);
    const struct mpir_io x = {
        .fh = fh, .buf = buf, .count = count, .type = datatype, .pointer = MPIR_OWN, .writes = true
    };

    TRY(mpir_io_run(&call, &x, status));
    return mpir_leave(&call);
}
MPIR_WEAK(File_write);
