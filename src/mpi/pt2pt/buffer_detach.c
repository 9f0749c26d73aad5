#include "mpir.h"

/* Waits until all messages in the attached buffer have left, and gives it back: its address in the
 * pointer that buffer_addr points to, and its bytes (§3.6).
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
