#include "mpi/mpir.h"

/* Returns the lower bound and the extent of a datatype, in bytes (§4.1.7). The extent is the
 * distance from one element to the next.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    ENTER("MPI_Type_get_extent", datatype, lb, extent);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(lb, "lb"));
    TRY(mpir_out_arg(extent, "extent"));
    *lb = t->lb;
    *extent = t->extent;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_extent);
