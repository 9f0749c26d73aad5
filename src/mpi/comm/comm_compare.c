#include "mpi/mpir.h"

/* The result of an intercommunicator is that of its less similar pair of groups. */
static int comm_groups_compare(const struct adi3_comm *a, const struct adi3_comm *b, int *result)
{
    int local, remote = MPI_IDENT, err = MPI_SUCCESS;

    if (!a->remote != !b->remote) {
        *result = MPI_UNEQUAL;
        return MPI_SUCCESS;
    }
    if (a == b) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    if (a->remote)
        err = adi3_group_compare(a->remote, b->remote, &remote);
    if (!err)
        err = adi3_group_compare(a->group, b->group, &local);
    if (err)
        return err;
    if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL)
        *result = MPI_UNEQUAL;
    else if (local == MPI_SIMILAR || remote == MPI_SIMILAR)
        *result = MPI_SIMILAR;
    else
        *result = MPI_CONGRUENT; /* the groups are equal, the contexts are not */
    return MPI_SUCCESS;
}

/* Compares two communicators (§6.4.1). The result is MPI_IDENT for the same communicator,
 * MPI_CONGRUENT for the same processes in the same order, MPI_SIMILAR for the same processes in
 * another order, and MPI_UNEQUAL otherwise.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    ENTER("MPI_Comm_compare", comm1, comm2, result);
    struct mpir_call second = call; /* errors, also those of comm2, go to comm1 */
    struct adi3_comm *a, *b;

    TRY(mpir_local_comm_arg(&call, comm1, &a));
    TRY(mpir_local_comm_arg(&second, comm2, &b));
    TRY(mpir_out_arg(result, "result"));
    TRY(comm_groups_compare(a, b, result));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_compare);
