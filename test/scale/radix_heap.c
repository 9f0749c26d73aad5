#include <stdlib.h>
#include "radix_heap.h"

static unsigned bucket_number(const struct radix_heap *h, uint64_t at)
{
    return at == h->last ? 0 : 64u - (unsigned) __builtin_clzll(at ^ h->last);
}

bool radix_heap_add(struct radix_heap *h, struct event e)
{
    struct event_row *row = &h->bucket[bucket_number(h, e.at)];

    if (row->count == row->room) {
        size_t room = row->room ? 2 * row->room : 64;
        struct event *grown = realloc(row->event, room * sizeof *grown);
        if (!grown)
            return false;
        row->event = grown;
        row->room = room;
    }
    row->event[row->count++] = e;
    return true;
}

/* Makes the earliest time of the first bucket that is not empty the last one: then its events fit
 * into the buckets before it. */
static bool refill_first(struct radix_heap *h)
{
    struct event_row *row = h->bucket + 1;
    const struct event_row *end = h->bucket + 65;

    while (row < end && row->count == 0)
        row++;
    if (row == end)
        return false;
    h->last = row->event[0].at;
    for (size_t i = 1; i < row->count; i++)
        if (row->event[i].at < h->last)
            h->last = row->event[i].at;
    bool fits = true;
    for (size_t i = 0; i < row->count; i++)
        fits = radix_heap_add(h, row->event[i]) && fits;
    row->count = 0;
    return fits;
}

bool radix_heap_take(struct radix_heap *h, struct event *e)
{
    if (h->bucket[0].count == 0 && !refill_first(h))
        return false;
    *e = h->bucket[0].event[--h->bucket[0].count];
    return true;
}

void radix_heap_free(struct radix_heap *h)
{
    for (int i = 0; i < 65; i++)
        free(h->bucket[i].event);
    *h = (struct radix_heap) { 0 };
}
