#include <string.h>
#include "mpi/mpir.h"

/* Returns the name of a datatype (§6.8). type_name has room for MPI_MAX_OBJECT_NAME characters.
 * Predefined datatypes have the names of mpi.h; for others the name is empty until it is set.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG. */
int PMPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen)
{
    ENTER("MPI_Type_get_name", datatype, type_name, resultlen);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(type_name, "type_name"));
    TRY(mpir_out_arg(resultlen, "resultlen"));
    size_t len = strlen(t->name);
    memcpy(type_name, t->name, len + 1);
    *resultlen = (int) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_name);
