/* watch.c — failure detection for processes on other nodes. Twice a second the devices of those
 * that requests and probes wait for are asked to look whether they live, so that the silence of a
 * host is noticed although nothing is sent. */
#include "adi3/p2p/p2p_impl.h"

struct adi3_proc *watch_probed;

static void request_peer_watch(struct adi3_proc *p)
{
    if (!proc_node(p) && !p->lost && (p->dev || !proc_add(p)) && p->dev->ops->watch)
        p->dev->ops->watch(&p->peer);
}

/* For a receive from MPI_ANY_SOURCE: watches the processes that this one has talked with. */
static void watch_any(const struct adi3_comm *c)
{
    for (int i = 0; i < c->peers; i++)
        if (c->proc[i]->dev)
            request_peer_watch(c->proc[i]);
}

/* Processes of our node are not watched: progress.c looks whether they live. */
void watch_tick(void)
{
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));) {
        if (r->state == ADI3_DONE || r->state == ADI3_INIT || r->kind >= ADI3_MESSAGE)
            continue;
        if (r->peer)
            request_peer_watch(proc_of(r->peer));
        else if (r->posted.rank >= 0)
            request_peer_watch(r->comm->proc[r->posted.rank]);
        else
            watch_any(r->comm);
    }
    if (watch_probed)
        request_peer_watch(watch_probed);
    watch_probed = NULL;
}
