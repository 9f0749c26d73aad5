#include "mpir.h"

/* Makes a type of count elements of oldtype, one behind the other by extent (§4.1.2).
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_contiguous", count, oldtype, newtype);
    struct adi3_type *old, *made;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(adi3_type_make(&(struct adi3_recipe) { .combiner = MPI_COMBINER_CONTIGUOUS,
                                               .nints = 1,
                                               .ntypes = 1,
                                               .ints = &count,
                                               .types = &old },
                       &made));
    *newtype = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_contiguous);
