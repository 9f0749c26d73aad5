#include "mpir.h"

/* Makes a type of count blocks of blocklength elements, which begin stride extents of oldtype
 * apart; stride may be negative (§4.1.2).
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    ENTER("MPI_Type_vector", count, blocklength, stride, oldtype, newtype);
    struct adi3_type *old, *made;
    const int ints[] = { count, blocklength, stride };

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_count_arg(blocklength, "blocklength"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(adi3_type_make(
        &(struct adi3_recipe) {
            .combiner = MPI_COMBINER_VECTOR, .nints = 3, .ntypes = 1, .ints = ints, .types = &old },
        &made));
    *newtype = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_vector);
