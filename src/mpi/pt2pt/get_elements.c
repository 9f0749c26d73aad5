#include "mpi/pt2pt/received.h"

/* Returns the number of basic elements of a received message, those of an incomplete element
 * included (§4.1.11). It is MPI_UNDEFINED when the last basic element is not whole, or when the
 * number does not fit an int.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE. */
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    ENTER("MPI_Get_elements", status, datatype, count);
    struct adi3_type *t;
    size_t n;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(count, "count"));
    *count = adi3_type_elements(t, mpir_status_len(status), &n) ? mpir_count_int((MPI_Count) n)
                                                                : MPI_UNDEFINED;
    return mpir_leave(&call);
}
MPIR_WEAK(Get_elements);
