/* wire.c — what operations by messages, and the files that send and serve them, register: kinds of
 * packets, of sync packets and of requests, and what they do at the end of a window or of a
 * process. */
#include "adi3/rma/messages/wire.h"

/* Requests of the process that await data. What devices have is reported by them. */
static void peer_lost(struct adi3_proc *p)
{
    struct adi3_request *next;

    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (r->kind != ADI3_ONE_SIDED || r->peer != &p->peer || r->awaits != PKT_RMA_DATA)
            continue;
        r->awaits = 0;
        packet_op_done(r, p->lost);
    }
    for (struct adi3_win *w = NULL; (w = adi3_next(&adi3_wins, w));) {
        struct rma_target *t;
        for (int rank = 0; (t = rma_next_target(w, &rank));) {
            if (w->comm->proc[t->rank] != p)
                continue;
            rma_lock_origin_lost(w, t);
            pending_free(t);
            thread_signal_waiters(w);
        }
    }
}

static int add_packets(void)
{
    int err = p2p_packet_add(PKT_RMA, &rma_op_packet);

    if (!err)
        err = p2p_packet_add(PKT_RMA_DATA, &rma_data_packet);
    if (!err)
        err = p2p_packet_add(PKT_RMA_TYPE, &rma_type_packet);
    if (!err)
        err = p2p_packet_add(PKT_RMA_SYNC, &rma_sync_packet);
    return err;
}

static int add_syncs(void)
{
    static const struct {
        enum rma_sync sync;
        const struct rma_sync_row *row;
    } syncs[] = {
        { RMA_SYNC_FLUSH, &rma_flush_sync },
        { RMA_SYNC_FLUSHED, &rma_flushed_sync },
        { RMA_SYNC_LOCK, &rma_lock_sync },
        { RMA_SYNC_LOCKED, &rma_locked_sync },
        { RMA_SYNC_UNLOCK, &rma_unlock_sync },
        { RMA_SYNC_KEY_REQUEST, &rma_key_request_sync },
        { RMA_SYNC_KEY_REPLY, &rma_key_reply_sync },
    };
    int err = MPI_SUCCESS;

    for (size_t i = 0; i < sizeof syncs / sizeof *syncs && !err; i++)
        err = rma_sync_add(syncs[i].sync, syncs[i].row);
    return err;
}

static int wire_init(void)
{
    static const struct base_hooks hooks = { .name = "rma messages",
                                             .peer_lost = peer_lost,
                                             .devices_end = rma_devices_end };
    int err = request_kind_add(ADI3_ONE_SIDED, &packet_op_kind);

    if (!err)
        err = add_packets();
    if (!err)
        err = add_syncs();
    if (!err)
        err = rma_lock_init();
    if (!err)
        err = piggyback_init();
    if (!err)
        err = wire_watch_init();
    if (!err)
        err = base_hooks_add(&hooks);
    return err;
}

static void window_free(struct adi3_win *w)
{
    rma_lock_free(w);
    remote_lock_forget(w);
    rma_deregister(w);
}

const struct rma_hooks rma_message_hooks = { .name = "messages",
                                             .init = wire_init,
                                             .target_free = type_cache_free,
                                             .window_free = window_free };
