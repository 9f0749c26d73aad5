#include "mpi/core/hooks.h"
#include "mpi/core/large.h"
#include "mpi/mpir.h"

#define PARAMETERS(Function) Function *user_fn, int commute, MPI_Op *op
#define ARGUMENTS            user_fn, commute, op

static int op_create_body(struct adi3_op new, int commute, MPI_Op *op)
{
    int err = mpir_out_arg((const void *) (uintptr_t) new.function, "user_fn");

    if (!err)
        err = mpir_out_arg(op, "op");
    if (err)
        return err;
    struct adi3_op *o = adi3_new(&adi3_ops, &new.handle);
    if (!o)
        return mpir_error(MPI_ERR_NO_MEM, "no memory for another operation");
    new.refs = 1;
    new.commutes = commute != 0;
    new.language = &adi3_c;
    *o = new;
    *op = new.handle;
    return MPI_SUCCESS;
}

/* Makes an operation of the user's function, which must be associative. commute: operands may be
 * combined in another order than that of ranks (§5.3.7).
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Op_create(PARAMETERS(MPI_User_function))
{
    ENTER("MPI_Op_create", ARGUMENTS);
    const struct adi3_op new = { .function = user_fn };

    TRY(op_create_body(new, commute, op));
    return mpir_leave(&call);
}
MPIR_WEAK(Op_create);

int mpir_op_create_c(PARAMETERS(adi3_large_function))
{
    ENTER("MPI_Op_create_c", ARGUMENTS);
    const struct adi3_op new = { .large_function = user_fn, .large = true };

    TRY(op_create_body(new, commute, op));
    return mpir_leave(&call);
}

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
