/* memory_cache.c — the memory of a window that has been freed, for the next one of that length.
 *
 * Most of the time of a small window goes into making, mapping and unmapping its memory. So each
 * process keeps that of the last one. A leader that has made what it keeps exposes that as new
 * memory, zeroed; the others find theirs by its number, or open it as any other. Otherwise the
 * leader makes new memory: the process that made what it keeps may be using that in another
 * window. */
#include <string.h>
#include "adi3/rma/memory/memory_impl.h"

static struct node_share cached = { .fd = -1 };
static uint64_t number;
static bool made; /* by this process */

static void cached_memory_take(struct rma_memory *m)
{
    m->share = cached;
    m->file = number;
    m->made = made;
    m->reserved = true;
    cached = (struct node_share) { .fd = -1 };
}

bool rma_cache_take(struct rma_memory *m, size_t len)
{
    assert(adi3_lock_held());
    if (!cached.at || !made || cached.len != len)
        return false;
    cached_memory_take(m);
    memset(m->share.at, 0, len);
    return true;
}

bool rma_cache_find(struct rma_memory *m, const struct adi3_win_share *s)
{
    assert(adi3_lock_held());
    if (!cached.at || cached.len != s->len || number != s->file)
        return false;
    cached_memory_take(m);
    return true;
}

void rma_cache_put(struct rma_memory *m)
{
    if (m->share.fd < 0 || !m->reserved || m->share.len > RMA_CACHE_MOST) {
        node_share_drop(&m->share);
        return;
    }
    rma_cache_drop();
    cached = m->share;
    number = m->file;
    made = m->made;
}

void rma_cache_drop(void) { node_share_drop(&cached); }
