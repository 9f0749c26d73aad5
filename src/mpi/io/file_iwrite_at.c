#include "mpi/io/io.h"

/* Starts writing count elements to an offset, in etypes of the view (§13.4.2). The request
 * completes when the buffer may be changed.
 * Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG,
 * MPI_ERR_READ_ONLY, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL, MPI_ERR_IO when the
 * data is no whole number of etypes, and those of the file. */
int PMPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count,
                        MPI_Datatype datatype, MPI_Request *request)
{
    ENTER("MPI_File_iwrite_at", fh, offset, buf, count, datatype, request);
    const struct mpir_io x = {
        .fh = fh, .offset = offset, .buf = buf, .count = count, .type = datatype, .writes = true
    };

    TRY(mpir_io_start(&call, &x, request));
    return mpir_leave(&call);
}
MPIR_WEAK(File_iwrite_at);
