#include "mpi/mpir.h"

/* Returns in *commute whether op may combine operands in any order (§5.3.7). Errors: MPI_ERR_OP,
 * MPI_ERR_ARG. */
int PMPI_Op_commutative(MPI_Op op, int *commute)
{
    ENTER("MPI_Op_commutative", op, commute);
    struct adi3_op *o;

    TRY(mpir_op_arg(op, &o));
    TRY(mpir_out_arg(commute, "commute"));
    *commute = o->commutes;
    return mpir_leave(&call);
}
MPIR_WEAK(Op_commutative);
