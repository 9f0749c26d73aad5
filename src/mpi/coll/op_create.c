#include "mpi/core/hooks.h"
#include "mpi/mpir.h"

/* Makes an operation of the user's function, which must be associative. commute: operands may be
 * combined in another order than that of ranks (§5.3.7).
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op)
{
    ENTER("MPI_Op_create", user_fn, commute, op);
    MPI_Op handle;

    TRY(mpir_out_arg((const void *) (uintptr_t) user_fn, "user_fn"));
    TRY(mpir_out_arg(op, "op"));
    struct adi3_op *o = adi3_new(&adi3_ops, &handle);
    if (!o)
        TRY(mpir_error(MPI_ERR_NO_MEM, "no memory for another operation"));
    *o = (struct adi3_op) { .handle = handle,
                            .refs = 1,
                            .commutes = commute != 0,
                            .function = user_fn,
                            .language = &adi3_c };
    *op = handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Op_create);

int MPIR_Op_set_language(MPI_Op op, const struct adi3_language *row)
{
    struct mpir_call call = mpir_enter(__func__);
    struct adi3_op *o;
    int err = mpir_op_arg(op, &o);

    if (!err && !o->function)
        err = mpir_error(MPI_ERR_OP, "operation 0x%x is predefined", (unsigned) op);
    if (!err)
        o->language = row;
    (void) mpir_leave(&call);
    return err;
}
