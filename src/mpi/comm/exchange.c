/* exchange.c — exchange of data among processes that are about to make a communicator. */
#include <string.h>
#include "adi3/adi3_connect.h"
#include "mpi/coll/coll.h"
#include "mpi/comm/comm.h"

/* An intercommunicator and the communicator of its local group number their operations together:
 * those between the groups have a part within each group, with the same number (collchk). */
void mpir_internal_begin(struct coll *x, struct adi3_comm *c)
{
    coll_begin(x, c);
    if (c->inter)
        c->begun[ADI3_FORM_BLOCKING] = c->inter->begun[ADI3_FORM_BLOCKING]++;
}

int mpir_gather_all(struct adi3_comm *c, const void *mine, size_t len, void *all)
{
    struct coll x;

    mpir_internal_begin(&x, c);
    x.send = coll_packed(mine, len);
    x.recv = coll_packed(all, len);
    return coll_run(&coll_allgather, &x);
}

int mpir_broadcast_id(struct adi3_comm *c, int root, void *data, size_t len)
{
    struct coll x;

    mpir_internal_begin(&x, c);
    x.recv = coll_packed(data, len);
    x.root = root;
    return coll_run(&coll_bcast, &x);
}

int mpir_least_of_all(struct adi3_comm *c, int mine, int *least)
{
    struct adi3_type *type = adi3_type_builtin(MPI_INT);
    struct coll x;

    mpir_internal_begin(&x, c);
    x.send = (struct adi3_data) { &mine, 1, type };
    x.recv = (struct adi3_data) { least, 1, type };
    x.op = adi3_op_builtin(MPI_MIN);
    return coll_run(&coll_allreduce, &x);
}

struct mpir_peer_comm mpir_peer_comm_of(struct adi3_comm *inter)
{
    return (struct mpir_peer_comm) { .local_comm = inter->local, .peer_comm = inter };
}

/* What the leaders do. */
static int exchange_with_leader(const struct mpir_peer_comm *p,
                                const struct mpir_exchange_buffer *x)
{
    const struct adi3_exchange messages = { .out = coll_packed(x->out, x->out_len),
                                            .in = coll_packed(x->in, x->in_len),
                                            .dest = p->remote_leader,
                                            .sendtag = p->tag,
                                            .source = p->remote_leader,
                                            .recvtag = p->tag };

    if (!p->peer_comm)
        return adi3_link_exchange(p->link, x->out, x->out_len, x->in, x->in_len);
    return adi3_sendrecv(&messages, p->peer_comm, ADI3_COLL, MPI_STATUS_IGNORE);
}

int mpir_exchange(const struct mpir_peer_comm *p, const struct mpir_exchange_buffer *x)
{
    int err = MPI_SUCCESS, failed = 1; /* until the leader broadcasts 0 */

    memset(x->in, 0, x->in_len); /* when the exchange fails, all processes see the same bytes */
    if (p->local_comm->rank == p->local_leader)
        failed = err = exchange_with_leader(p, x);
    int first = mpir_broadcast_id(p->local_comm, p->local_leader, &failed, sizeof failed);
    int second = mpir_broadcast_id(p->local_comm, p->local_leader, x->in, x->in_len);
    if (!err)
        err = first;
    if (!err)
        err = second;
    if (err)
        return err;
    if (!failed)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_OTHER, "rank %d could not exchange messages with the other group",
                      p->local_leader);
}
