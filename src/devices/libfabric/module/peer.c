/* peer.c — one process: added, lost, ended in order.
 *
 * What is known of a process stays until close(): messages on their way refer to it. */
#include <stdlib.h>
#include <string.h>
#include "ofi_impl.h"

int ofi_add_peer(struct dev_peer *peer)
{
    struct ofi_peer *p = ofi_dev.peer[peer->world_rank];
    struct ofi_endpoint endpoint;

    if (!peer->endpoint || ofi_endpoint_parse(peer->endpoint, &endpoint))
        return -EHOSTUNREACH;
    if (!p && !(p = calloc(1, sizeof *p)))
        return -ENOMEM;
    if (!p->tail) {
        p->tail = &p->queue;
        p->address = FI_ADDR_NOTAVAIL;
        p->rank = peer->world_rank;
        p->local = peer->local;
        p->endpoint = endpoint;
        p->cookie_out = ofi_cookie(ofi_dev.env->secret, ofi_dev.env->world_rank, p->rank);
        p->cookie_in = ofi_cookie(ofi_dev.env->secret, p->rank, ofi_dev.env->world_rank);
        p->watch = p->probe = -1;
    }
    p->peer = peer;
    peer->can_get = ofi_dev.info->caps & FI_RMA;
    peer->priv = ofi_dev.peer[p->rank] = p;
    return 0;
}

/* ADI3 may have given this rank to another device: then it is none of ours. */
struct ofi_peer *ofi_peer_find(int rank)
{
    if (!ofi_dev.peer[rank])
        (void) ofi_dev.env->up->peer(rank);
    return ofi_dev.peer[rank];
}

int ofi_peer_reach(struct ofi_peer *p)
{
    if (p->address != FI_ADDR_NOTAVAIL)
        return 0;
    if (fi_av_insert(ofi_dev.av, p->endpoint.address, 1, &p->address, 0, NULL) == 1)
        return 0;
    p->address = FI_ADDR_NOTAVAIL;
    return -EHOSTUNREACH;
}

/* Ends what is under way, for whoever waits for it. */
static void stop(struct ofi_peer *p, int err)
{
    p->lost = p->lost ? p->lost : err;
    ofi_watch_end(p);
    ofi_drop_incoming(p, err);
    ofi_drop_reads(p, err);
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
    stop(p, -ECONNRESET);
    p->lost = idle ? before : p->lost; /* in order: a last word is still to be said */
    p->peer = NULL;
    peer->priv = NULL;
}

void ofi_peer_mark_failed(struct ofi_peer *p, int err, const char *text)
{
    if (p->lost || p->error)
        return;
    p->error = err;
    if (text != p->error_text)
        strncpy(p->error_text, text, sizeof p->error_text - 1);
    ofi_dev.peer_failed = true;
}

void ofi_peer_lose(struct ofi_peer *p, int err, const char *text)
{
    if (p->lost)
        return;
    ofi_peer_mark_failed(p, err, text);
    stop(p, p->error);
    if (p->peer)
        ofi_dev.env->up->peer_lost(p->peer, p->lost);
}

bool ofi_lose_failed_peers(void)
{
    ofi_dev.peer_failed = false;
    for (int i = 0; i < ofi_dev.env->world_size; i++) {
        struct ofi_peer *p = ofi_dev.peer[i];
        if (p && p->error)
            ofi_peer_lose(p, p->error, p->error_text);
    }
    return true;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Has all been said that must be? Nobody waits for the dead. */
static bool has_closed(struct ofi_peer *p)
{
    const struct dev_node *node = ofi_dev.env->node;

    if (p->lost || p->error || (!p->sent && !p->received))
        return true;
    if (p->local >= 0 && !node->alive(p->local))
        return true;
    if (!p->close_sent)
        p->close_sent = ofi_send_control(p, OFI_CLOSE) == 0;
    return p->close_acked && p->close_received && !p->close_ack_due && !p->in_flight;
}

static bool all_closed(void)
{
    bool all = true;

    for (int i = 0; i < ofi_dev.env->world_size; i++)
        if (ofi_dev.peer[i])
            all &= has_closed(ofi_dev.peer[i]);
    return all;
}

/* An endpoint forgets what it has not sent when it is closed. So each of a pair says that it ends,
 * and goes when it knows that the other has heard all and ends too. */
void ofi_close_peers(void)
{
    enum { PAUSE_NS = 50000 };
    uint64_t end = os_time_ns() + OFI_CLOSE_MS * 1000000ull;

    while (!all_closed() && os_time_ns() < end)
        if (!ofi_flush() && !ofi_cq_poll())
            os_sleep_ns(PAUSE_NS);
}

bool ofi_any_peer_lost(void)
{
    for (int i = 0; ofi_dev.peer && i < ofi_dev.env->world_size; i++)
        if (ofi_dev.peer[i] && ofi_dev.peer[i]->lost)
            return true;
    return false;
}

void ofi_free_peers(void)
{
    for (int i = 0; ofi_dev.peer && i < ofi_dev.env->world_size; i++) {
        if (ofi_dev.peer[i])
            ofi_drop_incoming(ofi_dev.peer[i], -ECONNRESET);
        free(ofi_dev.peer[i]);
    }
    free(ofi_dev.peer);
}
