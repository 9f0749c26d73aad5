#include "mpi/pt2pt/received.h"

/* Returns the number of basic elements of a received message as an MPI_Count (§4.1.11). As
 * MPI_Get_elements otherwise.
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE. */
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    ENTER("MPI_Get_elements_x", status, datatype, count);
    struct adi3_type *t;
    size_t n;

    TRY(mpir_status_arg(status));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(count, "count"));
    *count = adi3_type_elements(t, mpir_status_len(status), &n) ? (MPI_Count) n : MPI_UNDEFINED;
    return mpir_leave(&call);
}
MPIR_WEAK(Get_elements_x);
