#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks with displacements in bytes (§16.1). The name of
 * MPI_Type_create_hindexed that MPI 3.0 removed.
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                       MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_hindexed", count, array_of_blocklengths, array_of_displacements, oldtype,
          newtype);
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(type_lens_arg(mpir_ints(array_of_blocklengths), count));
    TRY(mpir_array_arg(array_of_displacements, count, "array_of_displacements"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make_hindexed(count, mpir_ints(array_of_blocklengths), array_of_displacements, old,
                           newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_hindexed);
