#include "mpi/datatype/make.h"

/* Creates a datatype of count elements in contiguous locations (§4.1.2). Each begins an extent of
 * oldtype behind the one before.
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_contiguous", count, oldtype, newtype);
    const struct type_list list[] = { { mpir_ints(&count), 1 } };
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make(
        (struct adi3_contents) { .combiner = MPI_COMBINER_CONTIGUOUS, .ntypes = 1, .types = &old },
        list, 1, false, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_contiguous);
