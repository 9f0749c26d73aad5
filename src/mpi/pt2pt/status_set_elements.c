#include "mpi/pt2pt/received.h"

static int status_set_count(MPI_Status *status, const struct adi3_type *t, MPI_Count count)
{
    size_t len;

    if (!adi3_type_bytes(t, (size_t) count, &len))
        return mpir_error(MPI_ERR_COUNT, "no number of bytes makes %lld elements of datatype 0x%x",
                          (long long) count, (unsigned) t->handle);
    mpir_status_set_len(status, len);
    return MPI_SUCCESS;
}

/* Sets the number of basic elements in a status that MPI_Get_elements returns (§12.3).
 * MPI_Get_count follows from it.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_COUNT. */
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
    ENTER("MPI_Status_set_elements", status, datatype, count);
    struct adi3_type *t;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_count_arg(count, "count"));
    TRY(status_set_count(status, t, count));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_set_elements);

/* Sets the number of basic elements in a status, given as an MPI_Count (§12.3). As
 * MPI_Status_set_elements otherwise.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_COUNT. */
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    ENTER("MPI_Status_set_elements_x", status, datatype, count);
    struct adi3_type *t;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_count_arg(count, "count"));
    TRY(status_set_count(status, t, count));
    return mpir_leave(&call);
}
MPIR_WEAK(Status_set_elements_x);
