#include "mpi/mpir.h"

/* Sets the name of a datatype (§6.8). A longer name is cut to MPI_MAX_OBJECT_NAME - 1 characters.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_set_name(MPI_Datatype datatype, const char *type_name)
{
    ENTER("MPI_Type_set_name", datatype, type_name);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(type_name, "type_name"));
    TRY(adi3_type_set_name(t, type_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_set_name);
