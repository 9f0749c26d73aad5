#include <stdlib.h>
#include "mpi/comm/comm.h"

static int subcomm_create_group(struct adi3_comm *c, const struct adi3_group *g, int tag,
                                MPI_Comm *newcomm)
{
    struct adi3_comm *made;
    int *ranks;

    if (g->rank == MPI_UNDEFINED) {
        *newcomm = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    int err = mpir_ranks_of(g, c, &ranks);
    if (err)
        return err;
    const struct adi3_subgroup t = { g->size, g->rank, ranks, adi3_group_digest(g) };
    err = mpir_comm_make(c, &t, ADI3_TAG_GROUP + tag, &made);
    free(ranks);
    if (!err)
        *newcomm = made->handle;
    return err;
}

/* Creates a new communicator from a group of the processes of the intracommunicator comm, by a call
 * that only the processes of group make (§6.4.2). A process that is not in group gets
 * MPI_COMM_NULL. Several threads may call it at once with different tags. The tag has nothing to do
 * with the tags of messages. Collective over group.
 * Errors: MPI_ERR_COMM, MPI_ERR_GROUP, MPI_ERR_TAG, MPI_ERR_ARG, MPI_ERR_NO_MEM; MPI_ERR_GROUP also
 * where a member gives another group. */
int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_create_group", comm, group, tag, newcomm);
    struct adi3_comm *c;
    struct adi3_group *g;

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_group_arg(group, &g));
    TRY(mpir_send_tag_arg(tag));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(subcomm_create_group(c, g, tag, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_create_group);
