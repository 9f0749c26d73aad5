#include "received.h"

/* Gives the number of basic elements in a received message, those of an element that is not whole
 * too; MPI_UNDEFINED when the last basic one is not whole, or the number does not fit an int
 * (§4.1.11).
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE. */
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    ENTER("MPI_Get_elements", status, datatype, count);
    struct adi3_type *t;
    size_t n;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(count, "count"));
    *count = adi3_type_elements(t, mpir_status_len(status), &n) ? mpir_count_int(n) : MPI_UNDEFINED;
    return mpir_leave(&call);
}
MPIR_WEAK(Get_elements);
