/* exchange.c — facts that all processes of a communicator must have before one is made of it. */
#include <string.h>
#include "coll/coll.h"
#include "comm/comm.h"

int mpir_gather_all(struct adi3_comm *c, const void *mine, size_t len, void *all)
{
    struct coll x;

    coll_begin(&x, c);
    x.send = coll_packed(mine, len);
    x.recv = coll_packed(all, len);
    return coll_run(&coll_allgather, &x);
}

int mpir_broadcast_id(struct adi3_comm *c, int root, void *data, size_t len)
{
    struct coll x;

    coll_begin(&x, c);
    x.recv = coll_packed(data, len);
    x.root = root;
    return coll_run(&coll_bcast, &x);
}

struct mpir_peer_comm mpir_peer_comm_of(struct adi3_comm *inter)
{
    return (struct mpir_peer_comm) { .home = inter->local, .over = inter };
}

int mpir_exchange(const struct mpir_peer_comm *b, const struct mpir_exchange_buffer *l)
{
    const struct adi3_exchange x = { .out = coll_packed(l->out, l->out_len),
                                     .in = coll_packed(l->in, l->in_len),
                                     .dest = b->peer,
                                     .sendtag = b->tag,
                                     .source = b->peer,
                                     .recvtag = b->tag };
    int err = MPI_SUCCESS, failed = 1; /* until the leader says otherwise */

    memset(l->in, 0, l->in_len); /* what cannot be had is the same for all */
    if (b->home->rank == b->leader)
        failed = err = adi3_sendrecv(&x, b->over, ADI3_COLL, MPI_STATUS_IGNORE);
    int first = mpir_broadcast_id(b->home, b->leader, &failed, sizeof failed);
    int second = mpir_broadcast_id(b->home, b->leader, l->in, l->in_len);
    if (err || first || second)
        return err ? err : first ? first : second;
    if (!failed)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_OTHER, "rank %d could not talk to the other group", b->leader);
}
