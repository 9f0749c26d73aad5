/* radix_heap.h — events in the order of their times. An event may be added at the time of the one
 * that was taken last, or later. Each moves a few times at most, between rows in memory. */
#ifndef RADIX_HEAP_H
#define RADIX_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
    uint64_t at;
    uint32_t what, which;
};

/* Bucket b has the times whose highest bit that differs from that of `last` is b - 1. */
struct radix_heap {
    struct event_row {
        struct event *event;
        size_t count, room;
    } bucket[65];
    uint64_t last;
};

/* False: no memory. */
bool radix_heap_add(struct radix_heap *h, struct event e);
/* False: there is none. Events of the same time come in any order, the same in each run. */
bool radix_heap_take(struct radix_heap *h, struct event *e);
void radix_heap_free(struct radix_heap *h);

#endif /* RADIX_HEAP_H */
