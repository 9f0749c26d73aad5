#include "mpi/io/io.h"

/* Begins reading count elements from the individual file pointer on (§13.4.5). The pointer is
 * behind them before the call returns. MPI_File_read_all_end completes it; until then the buffer
 * must not be touched, and no other collective operation may be made on the file. Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG,
 * MPI_ERR_ACCESS, MPI_ERR_REQUEST, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL,
 * MPI_ERR_IO when the data is no whole number of etypes, and those of the file. */
int PMPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype)
{
    ENTER("MPI_File_read_all_begin", fh, buf, count, datatype);
    const struct mpir_io x = {
        .fh = fh, .buf = buf, .count = count, .type = datatype, .pointer = MPIR_OWN, .all = true
    };

    TRY(mpir_io_begin(&call, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(File_read_all_begin);
