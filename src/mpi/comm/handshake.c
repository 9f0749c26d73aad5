/* handshake.c — the two groups of a future intercommunicator exchange their members and ids. */
#include <stdlib.h>
#include "comm/comm.h"

struct side { /* what one group sends to the other */
    int size;
    uint32_t digest;
    struct mpir_ids ids;
};

static int no_memory(int size)
{
    return mpir_error(MPI_ERR_NO_MEM, "no memory for a group of %d", size);
}

/* The processes of a group, an array that the caller frees. */
static int *processes(const struct adi3_group *g)
{
    int *p = malloc((size_t) (g->size ? g->size : 1) * sizeof *p);

    for (int i = 0; p && i < g->size; i++)
        p[i] = adi3_group_process(g, i);
    return p;
}

static int exchange_members(const struct mpir_peer_comm *p, const struct adi3_group *ours, int size,
                            struct adi3_group **theirs)
{
    int *out = processes(ours), *in = malloc((size_t) (size ? size : 1) * sizeof *in);
    const struct mpir_exchange_buffer x = { out, in, (size_t) ours->size * sizeof *out,
                                            (size_t) size * sizeof *in };

    if (!out || !in) {
        free(out);
        free(in);
        return no_memory(size);
    }
    int err = mpir_exchange(p, &x);
    free(out);
    if (err)
        free(in);
    else if (!(*theirs = adi3_group_make(size, in)))
        err = no_memory(size);
    return err;
}

int mpir_handshake(const struct mpir_peer_comm *p, const struct adi3_group *ours,
                   struct mpir_ids *ids, struct adi3_group **theirs)
{
    const uint32_t digest = mpir_group_digest(ours);
    struct side out = { ours->size, digest, mpir_ids_pick() }, in;
    const struct mpir_exchange_buffer x = { &out, &in, sizeof out, sizeof in };
    int err;

    if ((err = mpir_exchange(p, &x))
        || (err = mpir_broadcast_id(p->local_comm, p->local_leader, &out, sizeof out))
        || (err = exchange_members(p, ours, in.size, theirs)))
        return err;
    *ids = out.ids;
    ids->send = in.ids.recv;
    if (out.digest == digest)
        return MPI_SUCCESS;
    adi3_group_release(*theirs);
    return mpir_error(MPI_ERR_GROUP, "rank %d gave another group", p->local_leader);
}
