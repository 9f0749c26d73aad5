#include <string.h>
#include "mpi/datatype/packing.h"

__attribute__((noinline)) static int unpack_slow_path(const void *inbuf, int insize, int *position,
                                                      void *outbuf, int outcount,
                                                      MPI_Datatype datatype, MPI_Comm comm)
{
    ENTER("MPI_Unpack", inbuf, insize, position, outbuf, outcount, datatype, comm);
    struct adi3_comm *c;
    struct adi3_data d;
    size_t len;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(position, "position"));
    struct packed in = { (void *) (uintptr_t) inbuf, insize, *position };
    TRY(packed_arg(in, MPI_ERR_ARG));
    TRY(mpir_data_arg(outbuf, outcount, datatype, &d));
    TRY(packed_len(in, &d, d.type->size, &len));
    bool unlocked = packed_unlock(d.type, len);
    adi3_unpack(&d, 0, (const char *) inbuf + in.position, len);
    packed_lock(d.type, unlocked);
    *position = (int) (in.position + (MPI_Aint) len);
    return mpir_leave(&call);
}

/* Unpacks outcount elements from contiguous memory (§4.2). They are read from inbuf from byte
 * *position on, and position moves behind them. comm is the communicator of the packed message and
 * has no effect on the data.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG; MPI_ERR_TRUNCATE
 * when insize is too small, and nothing is written. */
int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                MPI_Datatype datatype, MPI_Comm comm)
{
    size_t len;

    if (mpir_quick_comm(MPIR_NAME("MPI_Unpack"), comm)
        && mpir_quick_data(outbuf, outcount, datatype, &len)) {
        char *at = packed_quickly(inbuf, insize, mpir_narrow_out(position), len);
        if (at) {
            memcpy(outbuf, at, len);
            return mpir_leave_quickly();
        }
    }
    return unpack_slow_path(inbuf, insize, position, outbuf, outcount, datatype, comm);
}
MPIR_WEAK(Unpack);
