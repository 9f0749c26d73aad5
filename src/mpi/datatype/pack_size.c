#include <limits.h>
#include "mpi/mpir.h"

/* Returns the number of bytes that MPI_Pack needs for incount elements (§4.2). It is exact, and
 * MPI_UNDEFINED when it does not fit an int.
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    ENTER("MPI_Pack_size", incount, datatype, comm, size);
    struct adi3_comm *c;
    struct adi3_type *t;
    size_t len;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_count_arg(incount, "incount"));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(size, "size"));
    bool large = __builtin_mul_overflow((size_t) incount, t->size, &len) || len > INT_MAX;
    *size = large ? MPI_UNDEFINED : (int) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Pack_size);
