/* loss.c — the end of a peer: it is deleted, or lost. */
#include "devices/libfabric/module/ofi_impl.h"

/* Completes everything that is under way with an error. */
static void peer_fail_ops(struct ofi_peer *p, int err)
{
    if (!p->lost)
        p->lost = err;
    ofi_watch_end(p);
    ofi_drop_incoming(p, err);
    ofi_drop_rma(p, err);
    while (p->queue) {
        struct dev_send *op = p->queue;
        if (!(p->queue = op->next))
            p->tail = &p->queue;
        op->done(op, err);
    }
}

void ofi_del_peer(struct dev_peer *peer)
{
    struct ofi_peer *p = peer->priv;

    if (!p)
        return;
    bool idle = !p->queue && !p->partial && !p->error;
    int before = p->lost;
    peer_fail_ops(p, -ECONNRESET);
    p->lost = idle ? before : p->lost; /* an orderly end: the close message is still to be sent */
    p->peer = NULL;
    peer->priv = NULL;
}

void ofi_peer_lose(struct ofi_peer *p, int err, const char *text)
{
    if (p->lost)
        return;
    ofi_peer_mark_failed(p, err, text);
    peer_fail_ops(p, p->error);
    if (p->suspected_until && p->error == -ETIMEDOUT) {
        /* The host of the peer lives, and the peer may wait for what was under way. Whether it was
         * suspected when it failed is in its error: the clock says nothing of that any more. */
        p->reset_until = os_time_ns() + ofi_dev.env->peer_timeout_s * 1000000000ull;
        ofi_mark_blocked(p);
    }
    if (p->peer)
        ofi_dev.env->up->peer_lost(p->peer, p->lost);
}

bool ofi_lose_failed_peers(void)
{
    ofi_dev.peer_failed = false;
    for (struct ofi_peer *p = ofi_dev.peers; p; p = p->next)
        if (p->error)
            ofi_peer_lose(p, p->error, p->error_text);
    return true;
}
