/* sync.c — synchronization packets, in short sync packets, between the processes of a window: they
 * have no payload and say something of all operations before them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

int rma_sync_send(struct adi3_win *w, int rank, enum rma_sync sync,
                  const struct rma_sync_fields *fields)
{
    struct dev_pkt pkt = packet_op_header(w, PKT_RMA_SYNC, 0);
    int err = packet_op_reach(w, rank);

    assert(adi3_lock_held());
    if (err)
        return err;
    if (piggyback_take_sync(w, rank, sync, fields->number))
        return MPI_SUCCESS;
    pkt.tag = (int32_t) sync;
    p2p_put_fields(&pkt, fields, sizeof *fields);
    int rc = p2p_control(&w->comm->proc[rank]->peer, &pkt);
    return rc ? proc_error(w->comm->proc[rank], rc) : MPI_SUCCESS;
}

/* ---- what has come --------------------------------------------------------------------------- */

static const struct rma_sync_row *rows[RMA_SYNCS];

int rma_sync_add(enum rma_sync sync, const struct rma_sync_row *row)
{
    assert(adi3_lock_held() && sync > 0 && sync < RMA_SYNCS && row->name && row->come);
    if (rows[sync] == row)
        return MPI_SUCCESS;
    if (rows[sync])
        return adi3_error(MPI_ERR_INTERN, "two kinds of sync packets have the number %d: %s and %s",
                          (int) sync, rows[sync]->name, row->name);
    for (int i = 0; i < RMA_SYNCS; i++)
        if (rows[i] && !strcmp(rows[i]->name, row->name))
            return adi3_error(MPI_ERR_INTERN, "two kinds of sync packets have the name '%s'",
                              row->name);
    rows[sync] = row;
    return MPI_SUCCESS;
}

/* Whether t may say this now. */
static bool may_come(const struct rma_target *t, int32_t sync, const struct rma_sync_fields *f)
{
    return sync > 0 && sync < RMA_SYNCS && rows[sync]
           && (!rows[sync]->may_come || rows[sync]->may_come(t, f));
}

void rma_sync_apply(struct adi3_win *w, struct rma_target *from, enum rma_sync sync,
                    const struct rma_sync_fields *fields)
{
    if (rows[sync]->come(w, from, fields))
        proc_lost(w->comm->proc[from->rank], -EPROTO);
    thread_signal_waiters(w);
}

struct pending_sync {
    struct rma_pending pending;
    enum rma_sync sync;
    struct rma_sync_fields fields;
};

static void sync_packet_run(struct rma_pending *x)
{
    const struct pending_sync *n = OS_OWNER(x, const struct pending_sync, pending);

    rma_sync_apply(x->win, x->origin, n->sync, &n->fields);
}

static int sync_packet_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct rma_sync_fields fields;
    struct adi3_win *w;
    struct rma_target *t;

    (void) payload;
    p2p_get_fields(pkt, &fields, sizeof fields);
    if (!packet_op_origin(from, pkt, &w, &t) || !may_come(t, pkt->tag, &fields))
        return p2p_refuse(from, pkt);
    /* Other sync packets say nothing of operations, and one may be what an operation there waits
     * for. */
    if (!t->after || !wire_goes_with((uint32_t) pkt->tag)) {
        rma_sync_apply(w, t, (enum rma_sync) pkt->tag, &fields);
        return proc_of(from)->lost;
    }
    struct pending_sync *n = malloc(sizeof *n);
    if (!n)
        return -ENOMEM;
    *n = (struct pending_sync) { { .arrived = true, .win = w, .origin = t, .run = sync_packet_run },
                                 (enum rma_sync) pkt->tag,
                                 fields };
    pending_add(&n->pending);
    return 0;
}

const struct p2p_packet rma_sync_packet = { .name = "RMA_SYNC", .whole = sync_packet_whole };
