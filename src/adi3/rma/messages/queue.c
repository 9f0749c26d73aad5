/* queue.c — what has come from an origin and waits for what came before it.
 *
 * An operation whose payload is still arriving holds up what is behind it: another operation, since
 * accumulates are in order, and a sync packet that says "all before this". */
#include <stdlib.h>
#include "adi3/rma/messages/wire.h"

static void run_first(struct rma_target *t)
{
    struct rma_pending *x;

    while ((x = t->after) && x->arrived) {
        t->after = x->next;
        x->run(x);
        free(x);
    }
}

void pending_add(struct rma_pending *x)
{
    struct rma_pending **at = &x->origin->after;

    assert(adi3_lock_held());
    while (*at)
        at = &(*at)->next;
    x->next = NULL;
    *at = x;
    run_first(x->origin);
}

void pending_arrived(struct rma_pending *x)
{
    x->arrived = true;
    run_first(x->origin);
}

/* Devices have ended what was arriving before they report a loss. */
void pending_free(struct rma_target *t) { run_first(t); }
