/* ring.c — the lines from one process to another.
 *
 * An entry is one or more whole lines. The writer clears the word of the line behind an entry before
 * it publishes the entry by its own word: so the reader, which looks at one word only, finds 0 there
 * and not what an earlier lap has left. It moves one line for a small message, and tells how far it
 * has read in lots of a quarter ring. */
#include "shm.h"

enum { LOT = SHM_LINES / 4, AT_ONCE = 32 };

/* Room for n lines more, with one behind them for the cleared word. */
static bool has_room(struct shm_tx *t, unsigned n)
{
    if (SHM_LINES - (t->written - t->seen) > n)
        return true;
    t->seen = atomic_load_explicit(&t->ring->consumed, memory_order_acquire);
    if (SHM_LINES - (t->written - t->seen) > n)
        return true;
    /* Ask to be woken, and look again: the reader tells first and looks at the wish after that. */
    if (!atomic_load_explicit(&t->ring->want, memory_order_relaxed))
        atomic_store(&t->ring->want, 1);
    t->seen = atomic_load(&t->ring->consumed);
    return SHM_LINES - (t->written - t->seen) > n;
}

void *shm_ring_room(struct shm_tx *t, size_t bytes)
{
    unsigned n = shm_lines(bytes), rest = SHM_LINES - t->pos;

    if (n <= rest)
        return has_room(t, n) ? &t->ring->line[t->pos] : NULL;
    if (!has_room(t, rest + n))
        return NULL;
    const struct dev_pkt none = { .type = 0 };
    atomic_store_explicit(&t->ring->line[0].word, 0, memory_order_relaxed);
    atomic_store_explicit(&t->ring->line[t->pos].word, shm_word(SHM_WRAP, &none, 0),
                          memory_order_release);
    t->written += rest;
    t->pos = 0;
    return &t->ring->line[0];
}

static size_t entry_bytes(uint64_t word)
{
    static const uint8_t head[] = { [SHM_PLAIN] = sizeof(struct shm_plain),
                                    [SHM_FULL] = sizeof(struct shm_full),
                                    [SHM_FRAG] = sizeof(struct shm_frag) };

    return head[shm_word_kind(word)] + shm_word_bytes(word);
}

static void tell(struct shm_peer *p)
{
    struct shm_rx *r = &p->rx;

    r->told = r->consumed;
    atomic_store_explicit(&r->ring->consumed, r->consumed, memory_order_release);
    if (atomic_load_explicit(&r->ring->want, memory_order_relaxed)) {
        atomic_store_explicit(&r->ring->want, 0, memory_order_relaxed);
        shm_wake(p);
    }
}

bool shm_ring_poll(struct shm_peer *p)
{
    struct shm_rx *r = &p->rx;
    int n = 0;

    for (; n < AT_ONCE && r->ring; n++) {
        struct shm_line *line = &r->ring->line[r->pos];
        uint64_t word = atomic_load_explicit(&line->word, memory_order_acquire);
        if (!word)
            break;
        if (shm_word_kind(word) == SHM_WRAP) {
            r->consumed += SHM_LINES - r->pos;
            r->pos = 0;
            continue;
        }
        if (shm_word_kind(word) > SHM_FRAG || shm_word_bytes(word) > SHM_CHUNK) {
            shm_env->up->peer_lost(p->peer, -71); /* EPROTO: somebody wrote over our memory */
            shm_ring_end(p);
            break;
        }
        unsigned lines = shm_lines(entry_bytes(word));
        shm_entry(p, line, word);
        if (!r->ring) /* the peer broke the protocol */
            break;
        r->consumed += lines;
        r->pos = r->pos + lines == SHM_LINES ? 0 : r->pos + lines;
        if (r->consumed - r->told >= LOT)
            tell(p);
    }
    return n > 0;
}
