#include "mpi/datatype/packing.h"

/* Unpacks outcount elements from contiguous memory in the representation external32, which is the
 * same on all machines (§4.3, §13.5.2). They are read from inbuf from byte *position on, and
 * position moves behind them.
 * Errors: MPI_ERR_UNSUPPORTED_DATAREP when datarep is not "external32"; MPI_ERR_COUNT (also for
 * insize), MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG; MPI_ERR_TRUNCATE when insize is too small,
 * and nothing is written. */
int PMPI_Unpack_external(const char datarep[], const void *inbuf, MPI_Aint insize,
                         MPI_Aint *position, void *outbuf, int outcount, MPI_Datatype datatype)
{
    ENTER("MPI_Unpack_external", datarep, inbuf, insize, position, outbuf, outcount, datatype);
    struct adi3_data d;
    size_t len;

    TRY(packed_datarep_arg(datarep));
    TRY(mpir_out_arg(position, "position"));
    struct packed in = { (void *) (uintptr_t) inbuf, insize, *position };
    TRY(packed_arg(in, MPI_ERR_COUNT));
    TRY(mpir_data_arg(outbuf, outcount, datatype, &d));
    TRY(packed_len(in, &d, adi3_external_size(d.type), &len));
    bool unlocked = packed_unlock(d.type, len);
    (void) adi3_unpack_external(&d, 0, (const char *) inbuf + in.position, len);
    packed_lock(d.type, unlocked);
    *position = in.position + (MPI_Aint) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Unpack_external);
