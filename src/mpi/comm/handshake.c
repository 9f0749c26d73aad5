/* handshake.c — the two groups of a future intercommunicator exchange their members and ids. */
#include <stdlib.h>
#include "mpi/comm/comm.h"

static struct adi3_process_name *new_names(int n)
{
    return malloc((size_t) (n ? n : 1) * sizeof(struct adi3_process_name));
}

static int exchange_members(const struct mpir_peer_comm *p, const struct adi3_group *ours, int size,
                            struct adi3_group **theirs)
{
    struct adi3_process_name *out = new_names(ours->size), *in = new_names(size);
    const struct mpir_exchange_buffer x = { out, in, (size_t) ours->size * sizeof *out,
                                            (size_t) size * sizeof *in };

    if (!out || !in) {
        free(out);
        free(in);
        return adi3_no_memory("for a group of %d", size);
    }
    for (int i = 0; i < ours->size; i++)
        out[i] = adi3_group_name(ours, i);
    int err = mpir_exchange(p, &x);
    if (!err)
        err = adi3_group_named(size, in, theirs);
    free(out);
    free(in);
    return err;
}

/* 0: members are of several jobs. */
static uint64_t only_job(const struct adi3_group *g)
{
    return g->size && !g->others ? adi3_group_name(g, 0).job : 0;
}

int mpir_sides_exchange(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                        struct mpir_sides *s)
{
    const struct mpir_exchange_buffer x = { &s->ours, &s->theirs, sizeof s->ours,
                                            sizeof s->theirs };

    s->ours = (struct mpir_side) { .size = ours->size,
                                   .digest = adi3_group_digest(ours),
                                   .job = only_job(ours),
                                   .ids = mpir_ids_pick(p->local_comm) };
    int err = mpir_exchange(p, &x);
    if (!err)
        err = mpir_broadcast_id(p->local_comm, p->local_leader, &s->ours, sizeof s->ours);
    return err;
}

int mpir_members_exchange(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                          const struct mpir_sides *s, struct mpir_ids *ids,
                          struct adi3_group **theirs)
{
    int err = exchange_members(p, ours, s->theirs.size, theirs);

    if (err)
        return err;
    *ids = s->ours.ids;
    ids->send = s->theirs.ids.recv;
    if (s->ours.digest == adi3_group_digest(ours))
        return MPI_SUCCESS;
    adi3_group_release(*theirs);
    return mpir_error(MPI_ERR_GROUP, "rank %d gave another group", p->local_leader);
}

int mpir_handshake(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                   struct mpir_ids *ids, struct adi3_group **theirs)
{
    struct mpir_sides s;
    int err = mpir_sides_exchange(p, ours, &s);

    if (!err)
        err = mpir_members_exchange(p, ours, &s, ids, theirs);
    return err;
}
