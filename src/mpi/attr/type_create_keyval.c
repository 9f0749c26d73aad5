#include "mpi/attr/attr.h"

/* Creates a new attribute key for datatypes (§6.7.4). The functions may be MPI_TYPE_NULL_COPY_FN,
 * MPI_TYPE_DUP_FN and MPI_TYPE_NULL_DELETE_FN; extra_state is passed to them. The copy function is
 * called in MPI_Type_dup, the delete function when the attribute is deleted or replaced and when
 * the datatype is freed. Both run in the thread that made the call and may call MPI; other threads
 * may use the datatype meanwhile.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn,
                            MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval,
                            void *extra_state)
{
    ENTER("MPI_Type_create_keyval", type_copy_attr_fn, type_delete_attr_fn, type_keyval,
          extra_state);
    const struct mpir_callbacks fn = { &adi3_c, type_copy_attr_fn, type_delete_attr_fn,
                                       extra_state };

    TRY(mpir_out_arg(type_keyval, "type_keyval"));
    TRY(mpir_keyval_create(MPIR_ON_TYPE, fn, type_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_keyval);
