#include "mpi/attr/attr.h"
#include "mpi/datatype/make.h"

/* The new datatype has its handle before the attributes are copied: copy functions may use the old
 * one, delete functions the new one. */
static int dup_type(struct adi3_type *old, MPI_Datatype *newtype)
{
    struct adi3_type *made;
    MPI_Datatype handle;
    int err = adi3_type_dup(old, &made);

    if (err)
        return err;
    type_return(made, &handle);
    err = mpir_attributes_copy(mpir_type_attr_holder(old), mpir_type_attr_holder(made));
    if (err)
        adi3_type_user_release(made);
    else
        *newtype = handle;
    return err;
}

/* Duplicates a datatype with its cached information (§4.1.10, §6.7.4). The new one is committed
 * when oldtype is. Attributes are copied by the copy functions of their keys, which run in this
 * call while other threads may use oldtype.
 * Errors: MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM, and those of the copy functions. */
int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    ENTER("MPI_Type_dup", oldtype, newtype);
    struct adi3_type *old;

    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(dup_type(old, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_dup);
