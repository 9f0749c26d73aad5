#include "mpi/attr/attr.h"

static int free_arg(const struct adi3_type *t)
{
    if (!t->predefined)
        return t->handles ? MPI_SUCCESS : mpir_error(MPI_ERR_TYPE, "the datatype was freed before");
    return mpir_error(MPI_ERR_TYPE, "%s is predefined and may not be freed",
                      *t->name ? t->name : "the datatype of a Fortran kind");
}

/* Frees a datatype and sets the handle to MPI_DATATYPE_NULL (§4.1.9). Pending operations and
 * datatypes that were made from it are not affected. When this is the last handle of the datatype,
 * its attributes are deleted first (§6.7.4).
 * Errors: MPI_ERR_ARG, MPI_ERR_TYPE, and those of delete functions: then the type stays. */
int PMPI_Type_free(MPI_Datatype *datatype)
{
    ENTER("MPI_Type_free", datatype);
    struct adi3_type *t;

    TRY(mpir_out_arg(datatype, "datatype"));
    TRY(mpir_type_arg(*datatype, &t));
    TRY(free_arg(t));
    if (t->handles == 1)
        TRY(mpir_attributes_delete(mpir_type_attr_holder(t)));
    adi3_type_user_release(t);
    *datatype = MPI_DATATYPE_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Type_free);
