#include "mpir.h"

static int stride_arg(int stride, const struct adi3_type *old, MPI_Aint *bytes)
{
    if (!__builtin_mul_overflow(old->extent, stride, bytes))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "stride %d of elements of %ld bytes is too large", stride,
                      (long) old->extent);
}

/* Makes a type of count blocks of blocklength elements, which begin stride extents of oldtype
 * apart; stride may be negative (§4.1.2).
 * Errors: MPI_ERR_COUNT, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    ENTER("MPI_Type_vector", count, blocklength, stride, oldtype, newtype);
    struct adi3_type *old, *made;
    MPI_Aint bytes;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_count_arg(blocklength, "blocklength"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(stride_arg(stride, old, &bytes));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(adi3_type_hvector((size_t) count, (size_t) blocklength, bytes, old, &made));
    *newtype = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_vector);
