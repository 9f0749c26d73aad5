/* sends.c — packets on their way out: refused for a while, or held back and then handed on.
 *
 * Only ops of send() are held. A packet that inject() has taken counts as sent, also if
 * the sender ends at once: so it goes to the inner device immediately. */
#include <errno.h>
#include "devices/chaos/chance.h"
#include "devices/chaos/sends.h"

enum { LONGEST_REFUSAL = 8 }; /* polls */

/* Whether inject() refuses a packet for this peer now. Nothing may overtake ops that are held. */
static bool is_inject_refused(struct chaos_peer *p)
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
    return is_inject_refused(p) ? DEV_AGAIN : p->device->inner->inject(&p->inner, pkt, data);
}

int chaos_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                       const void *data, size_t len)
{
    struct chaos_peer *p = to->priv;

    if (p->lost)
        return p->lost;
    if (is_inject_refused(p))
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

/* done() may call send() again: each op leaves the queue before it is handed on. */
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
