#include "mpi/mpir.h"

static int size_arg(int size)
{
    if (mpir_checking() && size < 0)
        return mpir_error(MPI_ERR_ARG, "size is negative: %d", size);
    return MPI_SUCCESS;
}

static int buffer_arg(const void *buffer, int size)
{
    if (mpir_checking() && !buffer && size > 0)
        return mpir_error(MPI_ERR_BUFFER, "the buffer is NULL for %d bytes", size);
    return MPI_SUCCESS;
}

/* Attaches a buffer of size bytes for sends in buffered mode (§3.6). The memory belongs to MPI
 * until MPI_Buffer_detach.
 * Errors: MPI_ERR_BUFFER, also when there is one already; MPI_ERR_ARG. */
int PMPI_Buffer_attach(void *buffer, int size)
{
    ENTER("MPI_Buffer_attach", buffer, size);

    TRY(buffer_arg(buffer, size));
    TRY(size_arg(size));
    TRY(adi3_buffer_attach(buffer, (size_t) size));
    return mpir_leave(&call);
}
MPIR_WEAK(Buffer_attach);
