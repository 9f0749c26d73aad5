/* forget.c — peers and jobs that are known no more, before the device is closed. */
#include <stdlib.h>
#include "devices/libfabric/module/ofi_impl.h"

static void free_forgotten(void)
{
    for (struct ofi_peer **at = &ofi_dev.peers, *p; (p = *at);) {
        if (!p->forgotten || p->in_flight || p->blocked) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        if (p->address != FI_ADDR_NOTAVAIL)
            (void) fi_av_remove(ofi_dev.av, &p->address, 1, 0);
        free(p);
    }
}

/* Both have told each other that nothing follows: no close message need be sent, nor come. */
void ofi_forget_peer(struct dev_peer *peer)
{
    struct ofi_job *j = ofi_dev.jobs;

    while (j && j->job != peer->job)
        j = j->next;
    struct ofi_peer *p = j ? j->peer[peer->rank] : NULL;
    if (!p)
        return;
    if (p->peer)
        ofi_del_peer(peer);
    if (!p->lost)
        p->lost = -ECONNRESET;
    p->error = 0;
    p->node = NULL;
    p->forgotten = true;
    j->peer[peer->rank] = NULL;
    free_forgotten();
}

void ofi_forget_job(const struct dev_job *job)
{
    struct ofi_job **at = &ofi_dev.jobs, *j;

    while (*at && (*at)->job != job)
        at = &(*at)->next;
    if (!(j = *at))
        return;
    *at = j->next;
    free(j);
}
