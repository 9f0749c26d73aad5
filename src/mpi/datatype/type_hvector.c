#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks with a constant stride in bytes (§16.1). The name of
 * MPI_Type_create_hvector that MPI 3.0 removed.
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    ENTER("MPI_Type_hvector", count, blocklength, stride, oldtype, newtype);
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_count_arg(blocklength, "blocklength"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make_hvector(count, blocklength, stride, old, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_hvector);
