#include "mpi/mpir.h"

/* Frees an operation of the user; *op becomes MPI_OP_NULL (§5.3.7).
 * Errors: MPI_ERR_ARG, MPI_ERR_OP, also for a predefined operation. */
int PMPI_Op_free(MPI_Op *op)
{
    ENTER("MPI_Op_free", op);
    struct adi3_op *o;

    TRY(mpir_out_arg(op, "op"));
    TRY(mpir_op_arg(*op, &o));
    if (!o->function)
        TRY(mpir_error(MPI_ERR_OP, "a predefined operation cannot be freed"));
    adi3_op_release(o);
    *op = MPI_OP_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Op_free);
