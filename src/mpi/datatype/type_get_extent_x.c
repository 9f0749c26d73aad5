#include "mpi/mpir.h"

/* Returns the lower bound and the extent of a datatype as MPI_Count (§4.1.7). As
 * MPI_Type_get_extent otherwise.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    ENTER("MPI_Type_get_extent_x", datatype, lb, extent);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(lb, "lb"));
    TRY(mpir_out_arg(extent, "extent"));
    *lb = t->lb;
    *extent = t->extent;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_extent_x);
