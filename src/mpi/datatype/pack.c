#include <string.h>
#include "mpi/datatype/packing.h"

__attribute__((noinline)) static int pack_slow_path(const void *inbuf, int incount,
                                                    MPI_Datatype datatype, void *outbuf,
                                                    int outsize, int *position, MPI_Comm comm)
{
    ENTER("MPI_Pack", inbuf, incount, datatype, outbuf, outsize, position, comm);
    struct adi3_comm *c;
    struct adi3_data d;
    size_t len;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(inbuf, incount, datatype, &d));
    TRY(mpir_out_arg(position, "position"));
    struct packed out = { outbuf, outsize, *position };
    TRY(packed_arg(out, MPI_ERR_ARG));
    TRY(packed_len(out, &d, d.type->size, &len));
    bool unlocked = packed_unlock(d.type, len);
    adi3_pack(&d, 0, (char *) outbuf + out.position, len);
    packed_lock(d.type, unlocked);
    *position = (int) (out.position + (MPI_Aint) len);
    return mpir_leave(&call);
}

/* Packs incount elements into contiguous memory (§4.2). They go to outbuf from byte *position on,
 * and position moves behind them. comm is the communicator of the packed message and has no effect
 * on the data.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG; MPI_ERR_TRUNCATE
 * when outsize is too small, and nothing is written. */
int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
              int *position, MPI_Comm comm)
{
    size_t len;

    if (mpir_quick_comm(MPIR_NAME("MPI_Pack"), comm)
        && mpir_quick_data(inbuf, incount, datatype, &len)) {
        char *at = packed_quickly(outbuf, outsize, position, len);
        if (at) {
            memcpy(at, inbuf, len);
            return mpir_leave_quickly();
        }
    }
    return pack_slow_path(inbuf, incount, datatype, outbuf, outsize, position, comm);
}
MPIR_WEAK(Pack);
