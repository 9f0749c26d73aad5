/* peer.c — a peer: added, found, its address.
 *
 * The state of a peer stays until close(), because messages under way refer to it. */
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

/* The upcall adds the peer, to this device or to another one; in that case the result is NULL. */
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

void ofi_peer_mark_failed(struct ofi_peer *p, int err, const char *text)
{
    if (p->lost || p->error)
        return;
    p->error = err;
    if (text != p->error_text)
        strncpy(p->error_text, text, sizeof p->error_text - 1);
    ofi_dev.peer_failed = true;
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
