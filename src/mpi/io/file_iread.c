#include "mpi/io/io.h"

/* Starts reading count elements from the individual file pointer on (§13.4.3). The pointer is
 * behind them before the call returns. The request completes when the buffer may be used.
 * Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG,
 * MPI_ERR_ACCESS, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL, MPI_ERR_IO when the
 * data is no whole number of etypes, and those of the file. */
int PMPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request)
{
    ENTER("MPI_File_iread", fh, buf, count, datatype, request);
    const struct mpir_io x = {
        .fh = fh, .buf = buf, .count = count, .type = datatype, .pointer = MPIR_OWN
    };

    TRY(mpir_io_start(&call, &x, request));
    return mpir_leave(&call);
}
MPIR_WEAK(File_iread);
