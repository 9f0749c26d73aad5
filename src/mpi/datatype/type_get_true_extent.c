#include "mpi/mpir.h"

/* Returns the true lower bound and the true extent of a datatype, in bytes (§4.1.8). They are the
 * lowest byte of its data and the distance from there to the end of the highest one, whatever its
 * bounds are.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent)
{
    ENTER("MPI_Type_get_true_extent", datatype, true_lb, true_extent);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(true_lb, "true_lb"));
    TRY(mpir_out_arg(true_extent, "true_extent"));
    *true_lb = t->true_lb;
    *true_extent = t->true_extent;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_true_extent);
