/* watch_targets.c — failure detection for processes on other nodes that one-sided communication
 * waits for. Twice a second their devices are asked to look whether they live, as for requests of
 * messages (p2p/watch.c): the silence of a host is noticed although nothing is sent. */
#include "adi3/rma/messages/wire.h"

/* Processes of our node are not watched: progress.c looks whether they live. */
static void target_peer_watch(struct adi3_proc *p)
{
    if (!proc_node(p) && !p->lost && (p->dev || !proc_add(p)) && p->dev->ops->watch)
        p->dev->ops->watch(&p->peer);
}

static void targets_watch_tick(void)
{
    struct rma_target *t;

    for (struct adi3_win *w = NULL; (w = adi3_next(&adi3_wins, w));) {
        for (int rank = 0; (t = rma_next_target(w, &rank));)
            if (t->pending || t->asked != t->answered)
                target_peer_watch(w->comm->proc[t->rank]);
        if (w->awaited)
            target_peer_watch(w->awaited);
        w->awaited = NULL;
    }
}

int wire_watch_init(void)
{
    static struct progress_source source = { .name = "rma watch", .tick = targets_watch_tick };

    return progress_source_add(&source);
}
