/* memory_cache.c — the memory of a window that has been freed, for the next one of that length.
 *
 * Most of the time of a window goes into making, mapping and unmapping its memory, and into looking
 * how much memory there is. So each process keeps that of the last one. A leader that has made what
 * it keeps exposes that as new memory, zeroed; the others find theirs by its number, or open it as
 * any other. Otherwise the leader makes new memory: the process that made what it keeps may be
 * using that in another window.
 *
 * Of memory whose pages are promised alone no page is kept, so that it takes no memory meanwhile.
 * But its promise keeps others from memory, and so it is dropped after two seconds. */
#include <string.h>
#include "adi3/rma/memory/memory_impl.h"

enum { TICKS = 4 }; /* of half a second each, while this process is in MPI calls */

static struct node_share cached = { .fd = -1 };
static uint64_t number;
static bool made; /* by this process */
static int ticks; /* since it was put here */

static void cache_tick(void)
{
    if (cached.promised && ++ticks >= TICKS)
        rma_cache_drop();
}

static struct progress_source cache_source = { .name = "rma memory", .tick = cache_tick };

int rma_cache_init(void) { return progress_source_add(&cache_source); }

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
    if (m->share.promised)
        os_release(m->share.fd, 0, len);
    else
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

/* Other processes may still read its control blocks, but nothing behind them. */
static void give_pages_back(const struct rma_memory *m)
{
    size_t controls = rma_controls_len(m->count);

    if (m->made && controls < m->share.len)
        os_release(m->share.fd, controls, m->share.len - controls);
}

void rma_cache_put(struct rma_memory *m)
{
    size_t most = m->share.promised ? RMA_CACHE_PROMISED_MOST : RMA_CACHE_MOST;

    if (m->share.fd < 0 || !m->reserved || m->share.len > most) {
        node_share_drop(&m->share);
        return;
    }
    if (m->share.promised)
        give_pages_back(m);
    rma_cache_drop();
    cached = m->share;
    number = m->file;
    made = m->made;
    ticks = 0;
}

bool rma_cache_is_empty(void) { return !cached.at; }

void rma_cache_drop(void) { node_share_drop(&cached); }
