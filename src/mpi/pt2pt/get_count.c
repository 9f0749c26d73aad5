#include "mpi/pt2pt/received.h"

static MPI_Count count_of(uint64_t len, const struct adi3_type *t)
{
    if (len == 0)
        return 0; /* also for a datatype without data */
    if (t->size == 0 || len % t->size)
        return MPI_UNDEFINED;
    return (MPI_Count) (len / t->size);
}

/* Returns the number of whole elements of a received message (§3.2.5, §4.1.11). It is MPI_UNDEFINED
 * when the last element is not whole, or when the number does not fit an int.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE. */
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    ENTER("MPI_Get_count", status, datatype, count);
    struct adi3_type *t;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(count, "count"));
    *count = mpir_count_int(count_of(mpir_status_len(status), t));
    return mpir_leave(&call);
}
MPIR_WEAK(Get_count);
