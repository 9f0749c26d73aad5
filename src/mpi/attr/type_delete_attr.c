#include "attr.h"

/* Takes a value off a datatype, once the key's delete function has agreed; none there is fine
 * (§6.7.4).
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
