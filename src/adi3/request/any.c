/* any.c — waiting for one of many requests (MPI_Waitany, MPI_Waitsome) at a cost that does not grow
 * with their number.
 *
 * A call passes over the requests once and watches each that is not done. When a watched request
 * completes it puts its index into the call's list. A call that has returned is not in the list of
 * waiting calls any more: requests that it still watches find no call, and do nothing. */
#include "adi3/request/request_impl.h"

static struct adi3_any *waiting; /* waiting calls: at most one of each thread */
static uint64_t calls;           /* how many there have been */

void adi3_any_begin(struct adi3_any *a, int *index, int room)
{
    assert(adi3_lock_held());
    *a = (struct adi3_any) { .room = room, .index = index, .watch = ++calls };
}

void adi3_any_watch(struct adi3_any *a, struct adi3_request *r, int index)
{
    assert(adi3_lock_held());
    assert(r->state != ADI3_DONE && !(r->flags & REQUEST_OWNED));
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
    else if (a && r->index < a->index[0]) /* only a list of one place can be full */
        a->index[0] = r->index;
}

void adi3_any_wait(struct adi3_any *a)
{
    struct adi3_wait w = { .on = NULL };
    struct adi3_any **at = &waiting;

    assert(adi3_lock_held() && a->room > 0);
    a->next = waiting;
    waiting = a;
    while (!a->n)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
}
