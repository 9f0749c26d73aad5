#include "make.h"

/* Makes a type of count blocks of blocklength elements, which begin stride bytes apart; stride may
 * be negative (§4.1.2).
 * Errors: MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_hvector", count, blocklength, stride, oldtype, newtype);
    struct adi3_type *old;

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_count_arg(blocklength, "blocklength"));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make_hvector(count, blocklength, stride, old, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_hvector);
