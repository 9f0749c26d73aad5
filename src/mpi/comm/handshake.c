/* handshake.c — the two groups of a future intercommunicator exchange their members and ids. */
#include <stdlib.h>
#include "mpi/comm/comm.h"

struct side { /* what one group sends to the other */
    int size;
    uint32_t digest;
    struct mpir_ids ids;
};

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

int mpir_handshake(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                   struct mpir_ids *ids, struct adi3_group **theirs)
{
    const uint32_t digest = adi3_group_digest(ours);
    struct side out = { ours->size, digest, mpir_ids_pick(p->local_comm) }, in;
    const struct mpir_exchange_buffer x = { &out, &in, sizeof out, sizeof in };
    int err = mpir_exchange(p, &x);

    if (!err)
        err = mpir_broadcast_id(p->local_comm, p->local_leader, &out, sizeof out);
    if (!err)
        err = exchange_members(p, ours, in.size, theirs);
    if (err)
        return err;
    *ids = out.ids;
    ids->send = in.ids.recv;
    if (out.digest == digest)
        return MPI_SUCCESS;
    adi3_group_release(*theirs);
    return mpir_error(MPI_ERR_GROUP, "rank %d gave another group", p->local_leader);
}
