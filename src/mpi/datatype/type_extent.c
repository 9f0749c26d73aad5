#include "mpi/mpir.h"

/* Returns the extent of a datatype, in bytes (§16.1). MPI 3.0 removed it; MPI_Type_get_extent gives
 * the same.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    ENTER("MPI_Type_extent", datatype, extent);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(extent, "extent"));
    *extent = t->extent;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_extent);
