/* ring.h — writing a ring, and credit. */
#ifndef RING_H
#define RING_H

#include "devices/shm/peer.h"

enum {
    SHM_PREFETCH_AHEAD = 5, /* lines between the writer and the line it prefetches in a burst */
    SHM_PREFETCH_MOST = 64, /* most lines that are prefetched for the next entry */
    SHM_CLEAR_AHEAD = 3,    /* lines of the longest entry that is cleared behind in advance */
};

extern uint64_t shm_polls; /* how often this process has polled */
/* A writer takes credit in eighths of the ring. A reader returns it in halves of these. */
enum { SHM_BATCHES = 8 };
extern unsigned shm_lines_each;    /* lines of a ring that this process writes */
void shm_ring_size(int processes); /* sets shm_lines_each */
size_t shm_frag_later(void);       /* SHM_FRAG_LATER, or less where rings are short */
/* The ring at this offset from the base of a node's memory. */
static inline struct shm_ring *shm_ring_at(const struct dev_node *node, uint64_t offset)
{
    return (struct shm_ring *) (void *) (node->base + offset);
}
void shm_ring_populate(struct shm_ring *ring, unsigned lines); /* faults it in */
/* Memory for a ring that this process writes: its offset in the node's memory; 0: there is none. */
uint64_t shm_ring_take(const struct dev_node *node);
/* Gives back the memory of a ring through which a guest has sent. Rings of our own job stay until
 * the end. */
void shm_ring_give(struct shm_ring *ring, unsigned lines);
/* Whether n lines may be written. False: this process is woken when they may. */
bool shm_ring_has_credit(struct shm_tx *t, unsigned n);
/* Where the next entry of n lines goes. NULL: no credit, likewise. */
void *shm_ring_reserve(struct shm_tx *t, unsigned n);
void shm_ring_return_credit(struct shm_peer *p);

/* ---- writing a ring -------------------------------------------------------------------------- */

/* The line n lines behind `at`. An entry does not cross the end of the ring. */
static inline struct shm_line *shm_ring_step(const struct shm_tx *t, struct shm_line *at,
                                             unsigned n)
{
    struct shm_line *to = at + n;

    return __builtin_expect(to == t->end, 0) ? t->ring->line : to;
}

/* Publishes the entry of n lines at t->at: the reader sees it from now on. Returns the line behind
 * it. The words of the two lines behind the last entry are always clear. The first one is cleared
 * here if the entry has covered it, the second one by shm_ring_clear(), which may come later. */
static inline struct shm_line *shm_ring_publish_word(struct shm_tx *t, unsigned n, uint64_t word)
{
    struct shm_line *at = t->at, *next = shm_ring_step(t, at, n);

    t->at = next;
    t->credit -= (int) n;
    if (n > 1 && next != t->cleared)
        atomic_store_explicit(&next->word, 0, memory_order_relaxed);
    atomic_store_explicit(&at->word, word, memory_order_release);
    return next;
}

static inline void shm_ring_clear(const struct shm_tx *t, struct shm_line *next)
{
    atomic_store_explicit(&shm_ring_step(t, next, 1)->word, 0, memory_order_relaxed);
}

/* Clears the word behind an entry of n lines at `next` in advance, if these lines are free. */
static inline void shm_ring_clear_ahead(struct shm_tx *t, struct shm_line *next, unsigned n)
{
    if (t->credit < (int) n || next + n >= t->end)
        return;
    t->cleared = next + n;
    atomic_store_explicit(&t->cleared->word, 0, memory_order_relaxed);
}

/* As shm_ring_publish_word(), and prefetches for writing the lines that an entry as long as this
 * one would take: the next message then need not wait for lines that the reader's core still
 * has. That halves the time of a small message. Of one-line entries without a poll in between a
 * line further ahead is prefetched. */
static inline void shm_ring_publish(struct shm_tx *t, unsigned n, uint64_t word)
{
    struct shm_line *next = shm_ring_publish_word(t, n, word);

    if (n == 1 && t->polls == (unsigned) shm_polls)
        os_will_write(&next[SHM_PREFETCH_AHEAD]);
    t->polls = (unsigned) shm_polls;
#ifdef __OPTIMIZE__ /* else gcc warns that it does not */
#pragma GCC unroll 4
#endif
    for (unsigned i = 2; i <= n && i <= SHM_PREFETCH_MOST; i++)
        os_will_write(&next[i]);
    shm_ring_clear(t, next);
    if (n > 1 && n <= SHM_CLEAR_AHEAD)
        shm_ring_clear_ahead(t, next, n);
}

#endif /* RING_H */
