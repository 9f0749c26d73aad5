#include "mpi/mpir.h"

/* Commits a datatype, so that it can be used in communication (§4.1.9). Nothing happens to one that
 * is committed already.
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
