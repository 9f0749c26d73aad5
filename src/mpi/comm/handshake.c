/* handshake.c — two groups that will be the halves of an intercommunicator learn of each other. */
#include <stdlib.h>
#include "comm/comm.h"

struct half {
    int size;
    uint32_t digest;
    struct mpir_ids ids;
};

static int no_memory(int size)
{
    return mpir_error(MPI_ERR_NO_MEM, "no memory for a group of %d", size);
}

/* The processes of a group, the caller's to free. */
static int *processes(const struct adi3_group *g)
{
    int *p = malloc((size_t) (g->size ? g->size : 1) * sizeof *p);

    for (int i = 0; p && i < g->size; i++)
        p[i] = adi3_group_process(g, i);
    return p;
}

static int exchange_members(const struct mpir_peer_comm *b, const struct adi3_group *ours, int size,
                            struct adi3_group **theirs)
{
    int *out = processes(ours), *in = malloc((size_t) (size ? size : 1) * sizeof *in);
    const struct mpir_exchange_buffer l = { out, in, (size_t) ours->size * sizeof *out,
                                            (size_t) size * sizeof *in };

    if (!out || !in) {
        free(out);
        free(in);
        return no_memory(size);
    }
    int err = mpir_exchange(b, &l);
    free(out);
    if (err)
        free(in);
    else if (!(*theirs = adi3_group_make(size, in)))
        err = no_memory(size);
    return err;
}

int mpir_handshake(const struct mpir_peer_comm *b, const struct adi3_group *ours,
                   struct mpir_ids *ids, struct adi3_group **theirs)
{
    const uint32_t digest = mpir_group_digest(ours);
    struct half out = { ours->size, digest, mpir_ids_pick() }, in;
    const struct mpir_exchange_buffer l = { &out, &in, sizeof out, sizeof in };
    int err;

    if ((err = mpir_exchange(b, &l))
        || (err = mpir_broadcast_id(b->home, b->leader, &out, sizeof out))
        || (err = exchange_members(b, ours, in.size, theirs)))
        return err;
    *ids = out.ids;
    ids->send = in.ids.recv;
    if (out.digest == digest)
        return MPI_SUCCESS;
    adi3_group_release(*theirs);
    return mpir_error(MPI_ERR_GROUP, "rank %d gave another group", b->leader);
}
