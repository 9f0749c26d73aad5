#include <string.h>
#include "mpi/core/large.h"
#include "mpi/datatype/packing.h"

#define PARAMETERS(Count, Place)                                                                   \
    const void *inbuf, Count incount, MPI_Datatype datatype, void *outbuf, Count outsize,          \
        Place position, MPI_Comm comm
#define ARGUMENTS    inbuf, incount, datatype, outbuf, outsize, position, comm
#define VIEWED(view) inbuf, incount, datatype, outbuf, outsize, view(position), comm

MPIR_INLINE int pack_body(struct mpir_call *call, PARAMETERS(MPI_Count, struct mpir_count_out))
{
    struct adi3_comm *c;
    struct adi3_data d;
    size_t len;
    int err = mpir_local_comm_arg(call, comm, &c);

    if (!err)
        err = mpir_data_arg(inbuf, incount, datatype, &d);
    if (!err)
        err = mpir_count_out_arg(position, "position");
    if (err)
        return err;
    struct packed out = { outbuf, outsize, mpir_count_read(position) };
    err = packed_arg(out, MPI_ERR_ARG);
    if (!err)
        err = packed_len(out, &d, d.type->size, &len);
    if (err)
        return err;
    bool unlocked = packed_unlock(d.type, len);
    adi3_pack(&d, 0, (char *) outbuf + out.position, len);
    packed_lock(d.type, unlocked);
    mpir_count_add(position, (MPI_Count) len);
    return MPI_SUCCESS;
}

__attribute__((noinline)) static int pack_slow_path(PARAMETERS(int, int *))
{
    ENTER("MPI_Pack", ARGUMENTS);
    TRY(pack_body(&call, VIEWED(mpir_narrow_out)));
    return mpir_leave(&call);
}

__attribute__((noinline)) static int pack_c_slow_path(PARAMETERS(MPI_Count, MPI_Count *))
{
    ENTER("MPI_Pack_c", ARGUMENTS);
    TRY(pack_body(&call, VIEWED(mpir_wide_out)));
    return mpir_leave(&call);
}

MPIR_INLINE bool pack_quickly(const char *name, PARAMETERS(MPI_Count, struct mpir_count_out))
{
    size_t len;
    char *at;

    if (!mpir_quick_comm(name, comm) || !mpir_quick_data(inbuf, incount, datatype, &len)
        || !(at = packed_quickly(outbuf, outsize, position, len)))
        return false;
    memcpy(at, inbuf, len);
    return true;
}

/* Packs incount elements into contiguous memory (§4.2). They go to outbuf from byte *position on,
 * and position moves behind them. comm is the communicator of the packed message and has no effect
 * on the data.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_ARG; MPI_ERR_TRUNCATE
 * when outsize is too small, and nothing is written. */
int PMPI_Pack(PARAMETERS(int, int *))
{
    if (pack_quickly(MPIR_NAME("MPI_Pack"), VIEWED(mpir_narrow_out)))
        return mpir_leave_quickly();
    return pack_slow_path(ARGUMENTS);
}
MPIR_WEAK(Pack);

int mpir_pack_c(PARAMETERS(MPI_Count, MPI_Count *))
{
    if (pack_quickly(MPIR_NAME("MPI_Pack_c"), VIEWED(mpir_wide_out)))
        return mpir_leave_quickly();
    return pack_c_slow_path(ARGUMENTS);
}
