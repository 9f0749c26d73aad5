#include "mpi/mpir.h"

/* Detaches the buffer for sends in buffered mode, after all messages in it have been sent (§3.6).
 * Returns its address in the pointer at buffer_addr, and its size in bytes.
 * Errors: MPI_ERR_ARG; MPI_ERR_BUFFER when none is attached. */
int PMPI_Buffer_detach(void *buffer_addr, int *size)
{
    ENTER("MPI_Buffer_detach", buffer_addr, size);
    size_t len;

    TRY(mpir_out_arg(buffer_addr, "buffer_addr"));
    TRY(mpir_out_arg(size, "size"));
    TRY(adi3_buffer_detach(buffer_addr, &len));
    *size = (int) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Buffer_detach);
