#include "mpi/datatype/packing.h"

/* Packs incount elements into contiguous memory in the representation external32, which is the same
 * on all machines (§4.3, §13.5.2). They go to outbuf from byte *position on, and position moves
 * behind them. Integers that have fewer bytes in external32 lose the upper ones.
 * Errors: MPI_ERR_UNSUPPORTED_DATAREP when datarep is not "external32"; MPI_ERR_COUNT (also for
 * outsize), MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG; MPI_ERR_TRUNCATE when outsize is too small,
 * and nothing is written. */
int PMPI_Pack_external(const char datarep[], const void *inbuf, int incount, MPI_Datatype datatype,
                       void *outbuf, MPI_Aint outsize, MPI_Aint *position)
{
    ENTER("MPI_Pack_external", datarep, inbuf, incount, datatype, outbuf, outsize, position);
    struct adi3_data d;
    size_t len;

    TRY(packed_datarep_arg(datarep));
    TRY(mpir_data_arg(inbuf, incount, datatype, &d));
    TRY(mpir_out_arg(position, "position"));
    struct packed out = { outbuf, outsize, *position };
    TRY(packed_arg(out, MPI_ERR_COUNT));
    TRY(packed_len(out, &d, adi3_external_size(d.type), &len));
    bool unlocked = packed_unlock(d.type, len);
    (void) adi3_pack_external(&d, 0, (char *) outbuf + out.position, len);
    packed_lock(d.type, unlocked);
    *position = out.position + (MPI_Aint) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Pack_external);
