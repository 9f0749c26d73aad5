#include "mpi/attr/attr.h"

/* Deletes an attribute value of a datatype, after the delete function of the key has returned
 * MPI_SUCCESS (§6.7.4). It is no error when there is no value.
 * Errors: MPI_ERR_TYPE, MPI_ERR_KEYVAL, and what the function returns: then the value stays. */
int PMPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval)
{
    ENTER("MPI_Type_delete_attr", datatype, type_keyval);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_attribute_delete(mpir_type_attr_holder(t), type_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_delete_attr);
