#include <limits.h>
#include "mpi/mpir.h"

/* Returns the number of bytes of data in a datatype (§4.1.5). Holes do not count. It is
 * MPI_UNDEFINED when it does not fit an int.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_size(MPI_Datatype datatype, int *size)
{
    ENTER("MPI_Type_size", datatype, size);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(size, "size"));
    *size = t->size > INT_MAX ? MPI_UNDEFINED : (int) t->size;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_size);
