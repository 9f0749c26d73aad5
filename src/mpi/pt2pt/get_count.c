#include "mpi/core/large.h"
#include "mpi/pt2pt/received.h"

#define PARAMETERS(Count) const MPI_Status *status, MPI_Datatype datatype, Count *count
#define ARGUMENTS         status, datatype, count

static MPI_Count count_of(uint64_t len, const struct adi3_type *t)
{
    if (len == 0)
        return 0; /* also for a datatype without data */
    if (t->size == 0 || len % t->size)
        return MPI_UNDEFINED;
    return (MPI_Count) (len / t->size);
}

static int get_count_body(const MPI_Status *status, MPI_Datatype datatype,
                          struct mpir_count_out count)
{
    struct adi3_type *t;
    int err = mpir_status_arg(status);

    if (!err)
        err = mpir_type_arg(datatype, &t);
    if (!err)
        err = mpir_count_out_arg(count, "count");
    if (!err)
        mpir_count_return(count, count_of(mpir_status_len(status), t));
    return err;
}

/* Returns the number of whole elements of a received message (§3.2.5, §4.1.11). It is MPI_UNDEFINED
 * when the last element is not whole, or when the number does not fit an int.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE. */
int PMPI_Get_count(PARAMETERS(int))
{
    ENTER("MPI_Get_count", ARGUMENTS);
    TRY(get_count_body(status, datatype, mpir_narrow_out(count)));
    return mpir_leave(&call);
}
MPIR_WEAK(Get_count);

int mpir_get_count_c(PARAMETERS(MPI_Count))
{
    ENTER("MPI_Get_count_c", ARGUMENTS);
    TRY(get_count_body(status, datatype, mpir_wide_out(count)));
    return mpir_leave(&call);
}
