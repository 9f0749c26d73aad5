#include "mpi/datatype/make.h"

/* Creates a datatype of count blocks with displacements in extents of oldtype (§4.1.2). Each block
 * has a length in elements of its own.
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_indexed(int count, const int array_of_blocklengths[],
                      const int array_of_displacements[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    ENTER("MPI_Type_indexed", count, array_of_blocklengths, array_of_displacements, oldtype,
          newtype);
    const struct type_list list[] = { { mpir_ints(&count), 1 },
                                      { mpir_ints(array_of_blocklengths), count },
                                      { mpir_ints(array_of_displacements), count } };
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(type_lens_arg(mpir_ints(array_of_blocklengths), count));
    TRY(mpir_array_arg(array_of_displacements, count, "array_of_displacements"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make(
        (struct adi3_contents) { .combiner = MPI_COMBINER_INDEXED, .ntypes = 1, .types = &old },
        list, 3, false, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_indexed);
