#include "mpir.h"

/* Makes a type ready for communication; nothing happens to one that is (§4.1.9).
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_NO_MEM. */
int PMPI_Type_commit(MPI_Datatype *datatype)
{
    ENTER("MPI_Type_commit", datatype);
    struct adi3_type *t;

    TRY(mpir_out_arg(datatype, "datatype"));
    TRY(mpir_type_arg(*datatype, &t));
    TRY(adi3_type_commit(t));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_commit);
