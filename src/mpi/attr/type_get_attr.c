#include "mpi/attr/attr.h"

/* Retrieves an attribute value of a datatype by key, into the pointer at attribute_val; flag is
 * false when there is none (§6.7.4). When another thread deletes the attribute, its value may be
 * gone before this thread uses it.
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
