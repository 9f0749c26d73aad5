/* pairs.h — messages that have arrived and are not received, and receives whose message has not
 * arrived: in order between each two ranks. */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAIRS_NONE = UINT32_MAX };

struct pair_item { /* a message, also while it is under way; or a receive */
    uint64_t len;
    int from, to;
    uint32_t next;
    bool posted; /* it is a receive */
    bool awaited;
};

struct pairs {
    struct pair_item *item;
    uint32_t *bucket;
    uint32_t free, made, room, waiting, mask; /* waiting: items in buckets */
};

/* Items are named by their numbers, since they move. Without memory the program ends. */
uint32_t pairs_make(struct pairs *p, struct pair_item item);
void pairs_drop(struct pairs *p, uint32_t i);
/* The oldest that waits for this one, a message for a receive or a receive for a message, which is
 * removed from those that wait; else this one waits, and the result is PAIRS_NONE. */
uint32_t pairs_match(struct pairs *p, uint32_t i);
void pairs_free(struct pairs *p);

#endif /* PAIRS_H */
