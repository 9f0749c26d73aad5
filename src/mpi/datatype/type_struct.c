#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks, each with a datatype and a displacement of its own (§16.1).
 * The name of MPI_Type_create_struct that MPI 3.0 removed.
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                     MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    ENTER("MPI_Type_struct", count, array_of_blocklengths, array_of_displacements, array_of_types,
          newtype);

    TRY(mpir_count_arg(count, "count"));
    TRY(type_lens_arg(mpir_ints(array_of_blocklengths), count));
    TRY(mpir_array_arg(array_of_displacements, count, "array_of_displacements"));
    TRY(type_types_arg(array_of_types, count, "array_of_types"));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make_struct(count, mpir_ints(array_of_blocklengths), array_of_displacements,
                         array_of_types, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_struct);
