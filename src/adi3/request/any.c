/* any.c — calls that wait for one of many requests, without looking at them again and again.
 *
 * A call watches each that is not done in its only pass over them; one that is watched tells when
 * it is done. A call that has ended is in the list no more: what it watched and did not get may
 * still tell, and nobody listens. */
#include "request_impl.h"

static struct adi3_any *waiting; /* one for each thread at most */
static uint64_t watches;

void adi3_any_begin(struct adi3_any *a, int *index, int room)
{
    assert(adi3_lock_held());
    assert(room > 0);
    *a = (struct adi3_any) { .room = room, .index = index, .watch = ++watches };
}

void adi3_any_watch(struct adi3_any *a, struct adi3_request *r, int index)
{
    assert(adi3_lock_held());
    assert(r->state != ADI3_DONE && !(r->flags & REQUEST_PART));
    r->flags |= REQUEST_WATCHED;
    r->watch = a->watch;
    r->index = index;
}

void any_signal(struct adi3_request *r)
{
    struct adi3_any *a = waiting;

    assert(r->state == ADI3_DONE && r->flags & REQUEST_WATCHED);
    r->flags &= (uint16_t) ~REQUEST_WATCHED;
    while (a && a->watch != r->watch)
        a = a->next;
    if (a && a->n < a->room)
        a->index[a->n++] = r->index;
    else if (a && r->index < a->index[0]) /* a list that is full has room for one */
        a->index[0] = r->index;
}

void adi3_any_wait(struct adi3_any *a)
{
    struct adi3_wait w = { .on = NULL };
    struct adi3_any **at = &waiting;

    assert(adi3_lock_held());
    a->next = waiting;
    waiting = a;
    while (!a->n)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
}
