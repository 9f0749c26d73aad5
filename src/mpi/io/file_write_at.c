#include "mpi/core/large.h"
#include "mpi/io/io.h"

#define PARAMETERS(Count)                                                                          \
    MPI_File fh, MPI_Offset offset, const void *buf, Count count, MPI_Datatype datatype,           \
        MPI_Status *status
#define ARGUMENTS fh, offset, buf, count, datatype, status

static int file_write_at_body(struct mpir_call *call, PARAMETERS(MPI_Count))
{
    const struct mpir_io x = {
        .fh = fh, .offset = offset, .buf = buf, .count = count, .type = datatype, .writes = true
    };

    return mpir_io_run(call, &x, status);
}

/* Writes count elements to an offset, in etypes of the view (§13.4.2).
 * Errors: MPI_ERR_FILE, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG,
 * MPI_ERR_READ_ONLY, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL, MPI_ERR_IO when the
 * data is no whole number of etypes, and those of the file. */
int PMPI_File_write_at(PARAMETERS(int))
{
    ENTER("MPI_File_write_at", ARGUMENTS);
    TRY(file_write_at_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}
MPIR_WEAK(File_write_at);

int mpir_file_write_at_c(PARAMETERS(MPI_Count))
{
    ENTER("MPI_File_write_at_c", ARGUMENTS);
    TRY(file_write_at_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}
