/* out.c — packets on their way out: refused for a while, or held up and then handed down.
 *
 * Ops are held, injected packets are not: once inject() has taken one it is as good as sent, also
 * when its sender ends. */
#include <errno.h>
#include "chaos.h"

enum { LONGEST_REFUSAL = 8 }; /* polls */

/* Does this peer take no small packet now? Nothing may overtake what is held. */
static bool refuses(struct chaos_peer *p)
{
    if (p->out || p->refusal || p->dropping)
        return true;
    if (!chaos_happens(chaos_again))
        return false;
    p->refusal = 1 + chaos_random(LONGEST_REFUSAL);
    chaos_counts.refused++;
    return true;
}

int chaos_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    struct chaos_peer *p = to->priv;

    if (p->lost)
        return p->lost;
    return refuses(p) ? DEV_AGAIN : p->device->inner->inject(&p->inner, pkt, data);
}

int chaos_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                       const void *data, size_t len)
{
    struct chaos_peer *p = to->priv;

    if (p->lost)
        return p->lost;
    if (refuses(p))
        return DEV_AGAIN;
    return p->device->inner->inject_plain(&p->inner, ctx, rank, tag, data, len);
}

void chaos_send(struct dev_peer *to, struct dev_send *op)
{
    struct chaos_peer *p = to->priv;

    if (p->lost) {
        op->done(op, p->lost);
        return;
    }
    op->next = NULL;
    *p->out_end = op;
    p->out_end = &op->next;
    if (p->out == op)
        (void) chaos_push(p);
}

/* done() may send again: the queue is right before anything is handed down. */
bool chaos_push(struct chaos_peer *p)
{
    bool moved = false;

    while (p->out && !p->lost && !p->dropping
           && !chaos_stalls(p, &p->out_stall, &chaos_counts.held_out)) {
        struct dev_send *op = p->out;
        if (!(p->out = op->next))
            p->out_end = &p->out;
        p->device->inner->send(&p->inner, op);
        moved = true;
    }
    return moved;
}

void chaos_end_sends(struct chaos_peer *p, int err)
{
    while (p->out) {
        struct dev_send *op = p->out;
        if (!(p->out = op->next))
            p->out_end = &p->out;
        op->done(op, err);
    }
}
