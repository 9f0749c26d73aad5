/* rma.c — puts and atomic operations on their way out: they fail, or are held back and then handed
 * on in any order.
 *
 * One that fails here has not been handed to the inner device: so the error is -EAGAIN. */
#include <errno.h>
#include "devices/chaos/chance.h"
#include "devices/chaos/sends.h"

static int refusal_error(const struct chaos_peer *p)
{
    if (p->lost)
        return p->lost;
    return -EAGAIN;
}

void chaos_put(struct dev_peer *to, struct dev_put *op)
{
    struct chaos_peer *p = to->priv;
    struct dev_put **at = &p->puts;

    if (p->lost || chaos_happens(chaos_no_put)) {
        chaos_counts.not_put += !p->lost;
        op->done(op, refusal_error(p));
        return;
    }
    while (*at && chaos_happens(50))
        at = &(*at)->next;
    chaos_counts.reordered_put += *at != NULL;
    op->next = *at;
    *at = op;
    (void) chaos_push_puts(p);
}

bool chaos_push_puts(struct chaos_peer *p)
{
    bool moved = false;

    while (p->puts && !p->lost && !p->dropping
           && !chaos_stalls(p, &p->put_stall, &chaos_counts.held_put)) {
        struct dev_put *op = p->puts;
        p->puts = op->next;
        p->device->inner->put(&p->inner, op);
        moved = true;
    }
    return moved;
}

void chaos_end_puts(struct chaos_peer *p, int err)
{
    for (struct dev_put *op; (op = p->puts);) {
        p->puts = op->next;
        op->done(op, err);
    }
}

void chaos_atomic(struct dev_peer *to, struct dev_atomic *op)
{
    struct chaos_peer *p = to->priv;
    struct dev_atomic **at = &p->atomics;

    if (p->lost || chaos_happens(chaos_no_put)) {
        chaos_counts.not_atomic += !p->lost;
        op->done(op, refusal_error(p));
        return;
    }
    while (*at && chaos_happens(50))
        at = &(*at)->next;
    chaos_counts.reordered_atomic += *at != NULL;
    op->next = *at;
    *at = op;
    (void) chaos_push_atomics(p);
}

bool chaos_push_atomics(struct chaos_peer *p)
{
    bool moved = false;

    while (p->atomics && !p->lost && !p->dropping
           && !chaos_stalls(p, &p->atomic_stall, &chaos_counts.held_atomic)) {
        struct dev_atomic *op = p->atomics;
        p->atomics = op->next;
        p->device->inner->atomic(&p->inner, op);
        moved = true;
    }
    return moved;
}

void chaos_end_atomics(struct chaos_peer *p, int err)
{
    for (struct dev_atomic *op; (op = p->atomics);) {
        p->atomics = op->next;
        op->done(op, err);
    }
}
