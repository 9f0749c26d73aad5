#include "make.h"

/* Makes a copy of oldtype, committed when that is (§4.1.10).
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_dup", oldtype, newtype);
    struct adi3_type *old, *made;

    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(adi3_type_dup(old, &made));
    type_give(made, newtype);
    return mpir_leave(&call);
}
MPIR_WEAK(Type_dup);
