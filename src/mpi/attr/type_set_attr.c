#include "mpi/attr/attr.h"

/* Stores an attribute value on a datatype (§6.7.4). A value that the key already has there is
 * deleted first, by the delete function of the key.
 * Errors: MPI_ERR_TYPE, MPI_ERR_KEYVAL, MPI_ERR_NO_MEM, and what the key's delete function returns:
 * then the old value stays. */
int PMPI_Type_set_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val)
{
    ENTER("MPI_Type_set_attr", datatype, type_keyval, attribute_val);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_attribute_set(mpir_type_attr_holder(t), type_keyval, attribute_val));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_set_attr);
