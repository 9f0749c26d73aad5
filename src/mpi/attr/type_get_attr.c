#include "attr.h"

/* Gives the value that hangs on a datatype, in the pointer attribute_val points to; flag is false
 * when there is none (§6.7.4).
 * Errors: MPI_ERR_TYPE, MPI_ERR_KEYVAL, MPI_ERR_ARG. */
int PMPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag)
{
    ENTER("MPI_Type_get_attr", datatype, type_keyval, attribute_val, flag);
    struct adi3_type *t;

    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_attribute_get(mpir_type_attr_holder(t), type_keyval, attribute_val, flag));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_get_attr);
