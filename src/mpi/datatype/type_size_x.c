#include "mpi/mpir.h"

/* Returns the number of bytes of data in a datatype as an MPI_Count (§4.1.5). Holes do not count.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    ENTER("MPI_Type_size_x", datatype, size);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(size, "size"));
    *size = (MPI_Count) t->size;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_size_x);
