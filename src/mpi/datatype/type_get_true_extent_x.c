#include "mpi/mpir.h"

/* Returns the true lower bound and the true extent of a datatype as MPI_Count (§4.1.8). As
 * MPI_Type_get_true_extent otherwise.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    ENTER("MPI_Type_get_true_extent_x", datatype, true_lb, true_extent);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(true_lb, "true_lb"));
    TRY(mpir_out_arg(true_extent, "true_extent"));
    *true_lb = t->true_lb;
    *true_extent = t->true_extent;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_true_extent_x);
