#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks, each with a datatype, a length in elements and a displacement
 * in bytes of its own (§4.1.2, §4.1.6). The extent is padded as compilers do it, unless a bound is
 * marked.
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_create_struct(int count, const int array_of_blocklengths[],
                            const MPI_Aint array_of_displacements[],
                            const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_struct", count, array_of_blocklengths, array_of_displacements,
          array_of_types, newtype);

    TRY(mpir_count_arg(count, "count"));
    TRY(type_lens_arg(mpir_ints(array_of_blocklengths), count));
    TRY(mpir_array_arg(array_of_displacements, count, "array_of_displacements"));
    TRY(type_types_arg(array_of_types, count, "array_of_types"));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make_struct(count, mpir_ints(array_of_blocklengths), array_of_displacements,
                         array_of_types, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_struct);
