/* pairs.c — a hash table of rows, where items of the same two ranks stand in order. Of two ranks
 * there are messages or receives, never both. */
#include <stdio.h>
#include <stdlib.h>
#include "pairs.h"
#include "platform/golden_ratio.h"

static void *grow_table(void *old, size_t len)
{
    void *grown = realloc(old, len);

    if (!grown) {
        (void) fprintf(stderr, "no memory for %zu bytes of messages\n", len);
        exit(1);
    }
    return grown;
}

uint32_t pairs_make(struct pairs *p, struct pair_item item)
{
    uint32_t i = p->free;

    if (p->made > 0 && i != PAIRS_NONE) {
        p->free = p->item[i].next;
    } else {
        if (p->made == p->room) {
            p->room = p->room ? 2 * p->room : 1024;
            p->item = grow_table(p->item, p->room * sizeof *p->item);
        }
        i = p->made++;
        p->free = PAIRS_NONE;
    }
    p->item[i] = item;
    return i;
}

void pairs_drop(struct pairs *p, uint32_t i)
{
    p->item[i].next = p->free;
    p->free = i;
}

static uint32_t *bucket_of(const struct pairs *p, const struct pair_item *x)
{
    uint64_t key = (uint64_t) (uint32_t) x->to << 32 | (uint32_t) x->from;

    return &p->bucket[(uint32_t) (key * GOLDEN_RATIO_64 >> 32) & p->mask];
}

static void append_item(struct pairs *p, uint32_t i)
{
    uint32_t *at = bucket_of(p, &p->item[i]);

    while (*at != PAIRS_NONE)
        at = &p->item[*at].next;
    p->item[i].next = PAIRS_NONE;
    *at = i;
}

/* Twice as many buckets; each row's items are appended in their order. */
static void double_buckets(struct pairs *p)
{
    uint32_t old = p->bucket ? p->mask + 1 : 0, size = old ? 2 * old : 1024, *rows = p->bucket;

    p->bucket = grow_table(NULL, size * sizeof *p->bucket);
    p->mask = size - 1;
    for (uint32_t i = 0; i < size; i++)
        p->bucket[i] = PAIRS_NONE;
    for (uint32_t i = 0; i < old; i++)
        for (uint32_t k = rows[i], next; k != PAIRS_NONE; k = next) {
            next = p->item[k].next;
            append_item(p, k);
        }
    free(rows);
}

uint32_t pairs_match(struct pairs *p, uint32_t i)
{
    const struct pair_item *x = &p->item[i];

    if (!p->bucket || p->waiting > p->mask)
        double_buckets(p);
    uint32_t *at = bucket_of(p, x);
    while (*at != PAIRS_NONE && (p->item[*at].from != x->from || p->item[*at].to != x->to))
        at = &p->item[*at].next;
    uint32_t found = *at;
    if (found != PAIRS_NONE && p->item[found].posted != x->posted) {
        *at = p->item[found].next;
        p->waiting--;
        return found;
    }
    p->waiting++;
    append_item(p, i);
    return PAIRS_NONE;
}

void pairs_free(struct pairs *p)
{
    free(p->item);
    free(p->bucket);
    *p = (struct pairs) { 0 };
}
