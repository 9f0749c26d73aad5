#include "mpi/io/io.h"

/* Reads count elements from an offset on, in etypes of the view (§13.4.2). At the end of the
 * file fewer are read, which status tells. Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG,
 * MPI_ERR_ACCESS, MPI_ERR_REQUEST, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL,
 * MPI_ERR_IO when the data is no whole number of etypes, and those of the file. */
int PMPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count,
                          MPI_Datatype datatype, MPI_Status *status)
{
    ENTER("MPI_File_read_at_all", fh, offset, buf, count, datatype, status);
    const struct mpir_io x = {
        .fh = fh, .offset = offset, .buf = buf, .count = count, .type = datatype, .all = true
    };

    TRY(mpir_io_run(&call, &x, status));
    return mpir_leave(&call);
}
MPIR_WEAK(File_read_at_all);
