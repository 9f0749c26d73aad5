#include <stdlib.h>
#include "mpi/comm/comm.h"

struct leader_choice { /* a process's arguments, gathered in the local group */
    int leader;
    int wrong; /* at the leader: its other arguments are wrong */
};

/* All processes find out together whether the leader has wrong arguments and whether they gave
 * different leaders. */
static int check_leaders(struct adi3_comm *c, int leader, int err)
{
    const struct leader_choice mine = { leader, err != MPI_SUCCESS };
    struct leader_choice *all = malloc((size_t) c->size * sizeof *all);

    if (!all)
        return adi3_no_memory("for %d records", c->size);
    int failed = mpir_gather_all(c, &mine, sizeof mine, all);
    for (int i = 0; i < c->size && !failed && !err; i++) {
        if (all[i].leader != all[0].leader)
            err = mpir_error(MPI_ERR_RANK, "rank %d says local_leader %d, rank 0 says %d", i,
                             all[i].leader, all[0].leader);
        else if (all[i].wrong)
            err = mpir_error(
                MPI_ERR_COMM,
                "the local leader, rank %d, gave a wrong peer_comm, remote_leader or tag", i);
    }
    free(all);
    if (failed)
        err = failed;
    return err;
}

static int intercomm_make(const struct mpir_peer_comm *p, const struct mpir_sides *s,
                          struct adi3_comm **made)
{
    struct adi3_comm *c = p->local_comm;
    const struct adi3_subgroup all = { .size = c->size, .me = c->rank };
    struct adi3_group *remote;
    struct mpir_ids ids;
    int err = mpir_members_exchange(p, c->group, s, &ids, &remote);

    if (err)
        return err;
    err = mpir_groups_disjoint(c->group, remote);
    if (!err)
        err = mpir_inter_make(c, &all, remote, &ids, made);
    adi3_group_release(remote);
    return err;
}

/* Of several jobs only the leaders may know each other, or a communicator that another thread lets
 * go meanwhile may be the only one that the members have in common: so they are connected as groups
 * are whose leaders have a socket. */
static int intercomm_handshake(const struct mpir_peer_comm *p, MPI_Comm *newintercomm)
{
    struct adi3_comm *made;
    struct mpir_sides s;
    int err = mpir_sides_exchange(p, p->local_comm->group, &s);

    if (!err && s.ours.job && s.ours.job == s.theirs.job)
        err = intercomm_make(p, &s, &made);
    else if (!err)
        err = mpir_connect_by(p, &made);
    if (!err)
        *newintercomm = made->handle;
    return err;
}

/* The arguments that are significant at the leader only. */
static int check_leader_args(struct mpir_peer_comm *p, MPI_Comm peer_comm, int remote_leader,
                             int tag)
{
    struct mpir_call unused = { .name = NULL };
    int err = mpir_comm_arg(&unused, peer_comm, &p->peer_comm);

    if (!err)
        err = mpir_send_tag_arg(tag);
    if (err)
        return err;
    if ((unsigned) remote_leader >= (unsigned) p->peer_comm->peers)
        return mpir_error(MPI_ERR_RANK, "remote_leader %d is outside 0..%d", remote_leader,
                          p->peer_comm->peers - 1);
    if (!p->peer_comm->remote && remote_leader == p->peer_comm->rank)
        return mpir_error(MPI_ERR_RANK, "remote_leader %d is this process", remote_leader);
    p->remote_leader = remote_leader;
    p->tag = ADI3_TAG_INTER + tag;
    return MPI_SUCCESS;
}

static int intercomm_connect(struct mpir_peer_comm *p, MPI_Comm peer_comm, int remote_leader,
                             int tag, MPI_Comm *newintercomm)
{
    int err = p->local_comm->rank == p->local_leader
                  ? check_leader_args(p, peer_comm, remote_leader, tag)
                  : MPI_SUCCESS;

    err = check_leaders(p->local_comm, p->local_leader, err);
    if (!err)
        err = intercomm_handshake(p, newintercomm);
    return err;
}

/* Creates an intercommunicator from two intracommunicators that have no process in common (§6.6.2).
 * Both leaders are in peer_comm. peer_comm and remote_leader matter only at the local leader. The
 * tag has nothing to do with the tags of messages. Collective over both groups.
 * Errors: MPI_ERR_COMM, also for groups with common processes; MPI_ERR_RANK, also where local
 * leaders differ; MPI_ERR_TAG, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                          int remote_leader, int tag, MPI_Comm *newintercomm)
{
    ENTER("MPI_Intercomm_create", local_comm, local_leader, peer_comm, remote_leader, tag,
          newintercomm);
    struct mpir_peer_comm p = { .local_leader = local_leader, .is_known = true };

    TRY(mpir_intra_arg(&call, local_comm, &p.local_comm));
    if (mpir_checking() && (unsigned) local_leader >= (unsigned) p.local_comm->size)
        TRY(mpir_wrong_rank(p.local_comm, local_leader, "local_leader"));
    TRY(mpir_out_arg(newintercomm, "newintercomm"));
    TRY(intercomm_connect(&p, peer_comm, remote_leader, tag, newintercomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Intercomm_create);
