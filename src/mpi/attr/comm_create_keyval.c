#include "mpi/attr/attr.h"

/* Creates a new attribute key for communicators (§6.7.2). The functions may be
 * MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN and MPI_COMM_NULL_DELETE_FN; extra_state is passed to
 * them. The copy function is called in MPI_Comm_dup and the like, the delete function when the
 * attribute is deleted or replaced and when the communicator is freed. Both run in the thread that
 * made the call and may call MPI. Other threads may use the communicator meanwhile, so a function
 * that changes data that threads share must lock it.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                            MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                            void *extra_state)
{
    ENTER("MPI_Comm_create_keyval", comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval,
          extra_state);
    const struct mpir_callbacks fn = { &adi3_c, comm_copy_attr_fn, comm_delete_attr_fn,
                                       extra_state };

    TRY(mpir_out_arg(comm_keyval, "comm_keyval"));
    TRY(mpir_keyval_create(MPIR_ON_COMM, fn, comm_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_create_keyval);
