#include <stdlib.h>
#include "mpi/comm/comm.h"

static int create_intra(struct adi3_comm *c, const struct adi3_group *g, const int *ranks,
                        struct adi3_comm **made)
{
    const struct adi3_subgroup t = { g->size, g->rank, ranks, adi3_group_digest(g) };

    return g->rank == MPI_UNDEFINED ? MPI_SUCCESS : mpir_comm_make(c, &t, ADI3_TAG_COMM, made);
}

/* All processes of the local group exchange messages; those in g make the communicator. */
static int create_inter(struct adi3_comm *c, const struct adi3_group *g, const int *ranks,
                        struct adi3_comm **made)
{
    const struct mpir_peer_comm p = mpir_peer_comm_of(c);
    const struct adi3_subgroup t = { g->size, g->rank, ranks, 0 };
    struct adi3_group *remote;
    struct mpir_ids ids;
    int err = mpir_handshake(&p, g, &ids, &remote);

    if (err)
        return err;
    if (remote->size > 0 && g->rank != MPI_UNDEFINED)
        err = mpir_inter_make(c->local, &t, remote, &ids, made);
    adi3_group_release(remote);
    return err;
}

static int subcomm_create(struct adi3_comm *c, const struct adi3_group *g, MPI_Comm *newcomm)
{
    struct adi3_comm *made = NULL;
    int *ranks, err = mpir_ranks_of(g, c, &ranks);

    if (err)
        return err;
    err = c->remote ? create_inter(c, g, ranks, &made) : create_intra(c, g, ranks, &made);
    free(ranks);
    if (made)
        mpir_comm_inherit(c, made);
    if (!err)
        *newcomm = made ? made->handle : MPI_COMM_NULL;
    return err;
}

/* Creates a new communicator from a group of the processes of comm (§6.4.2). Processes that are not
 * in group get MPI_COMM_NULL. Groups without a common process may be used in the same call. When
 * comm is an intercommunicator, group is a subgroup of the local group, and the same in all its
 * processes. Collective over comm.
 * Errors: MPI_ERR_COMM, MPI_ERR_GROUP, MPI_ERR_ARG, MPI_ERR_NO_MEM; MPI_ERR_GROUP also where a
 * member gives another group. */
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_create", comm, group, newcomm);
    struct adi3_comm *c;
    struct adi3_group *g;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_group_arg(group, &g));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(subcomm_create(c, g, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_create);
