#include <stdlib.h>
#include "mpi/comm/comm.h"

struct side {                       /* what one group sends to the other */
    struct adi3_process_name first; /* its rank 0 */
    int high;
    uint32_t ctx;
};

/* A new group: the members of a, then those of b. */
static struct adi3_group *groups_join(const struct adi3_group *a, const struct adi3_group *b)
{
    int *member = malloc((size_t) (a->size + b->size) * sizeof *member);

    for (int i = 0; member && i < a->size; i++)
        member[i] = adi3_group_process(a, i);
    for (int i = 0; member && i < b->size; i++)
        member[a->size + i] = adi3_group_process(b, i);
    return member ? adi3_group_make(a->size + b->size, member) : NULL;
}

static bool spans_jobs(const struct adi3_comm *c, const struct side *theirs)
{
    return adi3_group_name(c->group, 0).job != theirs->first.job || adi3_group_spans(c->group)
           || adi3_group_spans(c->remote);
}

/* Opens the new communicator. block: of its context ids, when it spans jobs; else negative. */
static int open_merged(struct adi3_comm *m, uint32_t ctx, int block)
{
    int err = block < 0 ? MPI_SUCCESS : adi3_comm_set_block(m, block);

    if (err)
        adi3_block_free(&adi3_blocks, block);
    if (!err)
        err = adi3_comm_open(m, ctx, ctx);
    return err;
}

/* When both groups have the same high, the one whose first process is lower comes first. */
static int merged_comm_make(struct adi3_comm *c, const struct side *ours, const struct side *theirs,
                            int block, struct adi3_comm **made)
{
    bool first = ours->high == theirs->high ? adi3_process_before(&ours->first, &theirs->first)
                                            : !ours->high;
    uint32_t ctx = block >= 0 ? adi3_block_first_id(block) : first ? ours->ctx : theirs->ctx;

    if (!ctx)
        return mpir_error(MPI_ERR_OTHER, "the id of the new communicator of %d was lost",
                          c->size + c->peers);
    struct adi3_group *g =
        first ? groups_join(c->group, c->remote) : groups_join(c->remote, c->group);
    int err =
        g ? adi3_comm_make(g, NULL, made) : adi3_no_memory("for a group of %d", c->size + c->peers);

    adi3_group_release(g);
    if (err && block >= 0)
        adi3_block_free(&adi3_blocks, block);
    if (err)
        return err;
    err = open_merged(*made, ctx, block);
    if (err)
        adi3_comm_release(*made);
    else
        mpir_comm_inherit(c, *made);
    return err;
}

/* The value of high at rank 0 counts for its group. A process with another value gets an error; the
 * others continue. */
static int intercomm_merge_groups(struct adi3_comm *c, int high, MPI_Comm *newintracomm)
{
    const struct mpir_peer_comm p = mpir_peer_comm_of(c);
    struct side ours = { .high = high, .ctx = adi3_context_pick(c) }, theirs;
    const struct mpir_exchange_buffer x = { &ours, &theirs, sizeof ours, sizeof theirs };
    struct adi3_comm *made;
    int block = -1;

    ours.first = adi3_group_name(c->group, 0);
    int err = mpir_exchange(&p, &x);
    if (!err)
        err = mpir_broadcast_id(c->local, 0, &ours, sizeof ours);
    if (!err && spans_jobs(c, &theirs))
        err = mpir_block_consensus(&p, &block);
    if (err)
        return err;
    if (ours.high != high && block >= 0)
        adi3_block_free(&adi3_blocks, block);
    if (ours.high != high)
        return mpir_error(MPI_ERR_ARG, "high is %s, and at rank 0 of the group %s",
                          high ? "true" : "false", high ? "false" : "true");
    err = merged_comm_make(c, &ours, &theirs, block, &made);
    if (!err)
        *newintracomm = made->handle;
    return err;
}

/* Creates an intracommunicator from the two groups of an intercommunicator (§6.6.2). The processes
 * of the group that gives high as true are ranked behind those of the other one. high is the same
 * in all processes of a group. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, also where high differs in a group; MPI_ERR_NO_MEM. */
int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    ENTER("MPI_Intercomm_merge", intercomm, high, newintracomm);
    struct adi3_comm *c;

    TRY(mpir_inter_arg(&call, intercomm, &c));
    TRY(mpir_out_arg(newintracomm, "newintracomm"));
    TRY(intercomm_merge_groups(c, high != 0, newintracomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Intercomm_merge);
