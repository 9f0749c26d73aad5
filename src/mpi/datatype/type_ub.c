#include "mpi/mpir.h"

/* Returns the upper bound of a datatype, in bytes (§16.1). MPI 3.0 removed it; MPI_Type_get_extent
 * gives lb and extent, whose sum it is.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    ENTER("MPI_Type_ub", datatype, displacement);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(displacement, "displacement"));
    *displacement = t->lb + t->extent;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_ub);
