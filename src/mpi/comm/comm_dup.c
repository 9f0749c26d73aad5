#include "comm/comm.h"

static int dup_comm(struct adi3_comm *c, MPI_Comm *newcomm)
{
    const struct adi3_team all = { .size = c->size, .me = c->rank };
    struct adi3_comm *made;
    int err = mpir_comm_make(c, &all, 0, &made);

    if (!err)
        *newcomm = made->handle;
    return err;
}

/* Makes a communicator of the same processes that never meets comm's messages (§6.4.2). Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_dup", comm, newcomm);
    struct adi3_comm *c;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(dup_comm(c, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_dup);
