/* peer.c — a peer: added, found, its address.
 *
 * The state of a peer stays until close(), or until it is forgotten and nothing is under way:
 * messages refer to it. */
#include <stdlib.h>
#include <string.h>
#include "devices/libfabric/module/ofi_impl.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

static struct ofi_job *add_job(const struct dev_job *job)
{
    struct ofi_job *j = calloc(1, sizeof *j + (size_t) job->size * sizeof(struct ofi_peer *));

    if (!j)
        return NULL;
    j->job = job;
    j->next = ofi_dev.jobs;
    return ofi_dev.jobs = j;
}

struct ofi_job *ofi_job_find(uint64_t id)
{
    struct ofi_job **at = &ofi_dev.jobs, *j;
    const struct dev_job *job;

    while ((j = *at) && j->job->id != id)
        at = &j->next;
    if (!j)
        return (job = ofi_dev.env->up->job(id)) ? add_job(job) : NULL;
    if (j == ofi_dev.jobs)
        return j;
    *at = j->next;
    j->next = ofi_dev.jobs;
    return ofi_dev.jobs = j;
}

/* ---- peers ----------------------------------------------------------------------------------- */

static struct ofi_name own_name(void)
{
    return (struct ofi_name) { ofi_dev.env->job->id, ofi_dev.env->rank };
}

uint64_t ofi_cookie_from(const struct dev_job *job, int rank)
{
    return ofi_cookie(job->secret, (struct ofi_name) { job->id, rank }, own_name());
}

static struct ofi_peer *new_peer(const struct dev_peer *peer, const struct ofi_endpoint *endpoint)
{
    struct ofi_peer *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->next = ofi_dev.peers;
    ofi_dev.peers = p;
    p->tail = &p->queue;
    p->address = FI_ADDR_NOTAVAIL;
    p->node = peer->node;
    p->local = peer->local;
    p->endpoint = *endpoint;
    p->cookie_in = ofi_cookie_from(peer->job, peer->rank);
    p->cookie_out =
        ofi_cookie(peer->job->secret, own_name(), (struct ofi_name) { peer->job->id, peer->rank });
    p->watch = p->probe = -1;
    return p;
}

int ofi_add_peer(struct dev_peer *peer)
{
    struct ofi_endpoint endpoint;

    if (!peer->endpoint || ofi_endpoint_parse(peer->endpoint, &endpoint))
        return -EHOSTUNREACH;
    struct ofi_job *j = ofi_job_find(peer->job->id);
    if (!j || (!j->peer[peer->rank] && !(j->peer[peer->rank] = new_peer(peer, &endpoint))))
        return -ENOMEM;
    struct ofi_peer *p = j->peer[peer->rank];
    p->peer = peer;
    peer->can_get = ofi_dev.info->caps & FI_RMA;
    peer->can_put = ofi_dev.can_put;
    peer->priv = p;
    return 0;
}

/* The upcall adds the peer, to this device or to another one; in that case the result is NULL. */
struct ofi_peer *ofi_peer_find(struct ofi_job *job, int rank)
{
    if (!job->peer[rank])
        (void) ofi_dev.env->up->peer(job->job, rank);
    return job->peer[rank];
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
    bool suspected = os_time_ns() < p->suspected_until;

    p->error = suspected ? -ETIMEDOUT : err;
    if (suspected)
        p->error_text[0] = '\0'; /* the errno says all */
    else if (text != p->error_text)
        strncpy(p->error_text, text, sizeof p->error_text - 1);
    ofi_dev.peer_failed = true;
}

bool ofi_any_peer_lost(void)
{
    struct ofi_peer *p = ofi_dev.peers;

    while (p && !p->lost)
        p = p->next;
    return p;
}

void ofi_free_peers(void)
{
    for (struct ofi_peer *p = ofi_dev.peers, *next; p; p = next) {
        next = p->next;
        ofi_drop_incoming(p, -ECONNRESET);
        free(p);
    }
    for (struct ofi_job *j = ofi_dev.jobs, *next; j; j = next) {
        next = j->next;
        free(j);
    }
}
