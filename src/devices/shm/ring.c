/* ring.c — a ring: lines from one process to another, and the credit for them.
 *
 * An entry is one or more whole lines. Its first word publishes it, and the reader looks at that
 * word only. So the word of the next entry must be 0 until that entry is whole, and not what an
 * earlier lap has left there: the writer clears the words of the two lines behind an entry before
 * it publishes the next entry. A small message moves one line from core to core. The reader tells
 * how far it has read (returns credit) in batches, since each time moves a line, too.
 *
 * After an entry of a few lines the word behind one more of that length is cleared in advance. Else
 * the clearing comes between writing the next entry and publishing it, and waits for a line that is
 * often in the reader's cache: messages of 64 bytes take half as long again. Longer entries wait
 * for other lines anyway. */
#include <errno.h>
#include "devices/shm/fifo.h"
#include "devices/shm/ring.h"

enum { SHORT = 1023 }; /* lines: only longer rings are used from their start again */

unsigned shm_lines_each;
uint64_t shm_polls;

/* In a long ring a writer and a reader of large messages rarely wait for each other, and more
 * messages fit in while the reader does not run. For many processes that would take too much
 * memory. */
void shm_ring_size(int processes)
{
    shm_lines_each = processes <= 2    ? 8191
                     : processes <= 4  ? 4095
                     : processes <= 16 ? 1023
                     : processes <= 64 ? 511
                                       : 191;
}

/* A ring has room for three entries of this size. */
size_t shm_frag_later(void)
{
    return shm_lines(SHM_FRAG_LATER) < shm_lines_each / 3 ? SHM_FRAG_LATER : SHM_FRAG_MAX;
}

static size_t ring_len(unsigned lines) { return sizeof(struct shm_ring) + lines * OS_LINE; }

void shm_ring_populate(struct shm_ring *ring, unsigned lines)
{
    os_populate(ring, ring_len(lines));
}

uint64_t shm_ring_take(const struct dev_node *node)
{
    size_t len = ring_len(shm_lines_each);
    const char *why;

    return node == shm_env->node ? node->take(node, len, &why) : node->lend(node, len, &why);
}

void shm_ring_give(struct shm_ring *ring, unsigned lines)
{
    const struct dev_node *node = shm_env->node;

    node->give(node, (size_t) ((char *) ring - node->base), ring_len(lines));
    atomic_fetch_sub_explicit(&shm_own_fifo->rings, 1, memory_order_relaxed);
}

static bool has_credit_for(const struct shm_tx *t, unsigned n)
{
    return (t->credit < 0 ? t->credit + SHM_CLOSED : t->credit) >= (int) n;
}

/* Writes the entry that says that the next one is at the start of the ring. The lines up to the end
 * of the ring count as written. */
static void ring_wrap(struct shm_tx *t)
{
    const struct dev_pkt none = { .type = 0 };
    struct shm_line *first = t->ring->line;

    atomic_store_explicit(&first->word, 0, memory_order_relaxed);
    atomic_store_explicit(&t->at->word, shm_word(SHM_WRAP, &none, 0), memory_order_release);
    t->at = first;
    atomic_store_explicit(&first[1].word, 0, memory_order_relaxed);
}

/* Takes credit for a batch of the free lines, or for n if that is more, as far as there are so
 * many. A long ring is used from its start again while the reader keeps up: so its lines stay in
 * the cache. */
static void take_credit(struct shm_tx *t, unsigned n)
{
    const int closed = t->credit < 0 ? SHM_CLOSED : 0, batch = (int) (shm_lines_each / SHM_BATCHES);
    uint64_t consumed = atomic_load(&t->ring->consumed);
    int free = t->credit + closed + t->free + (int) (consumed - t->seen);
    int rest = (int) (t->end - t->at), all = (int) shm_lines_each - 2;

    t->seen = consumed;
    t->cleared = NULL; /* of this lap only: no lap is written without coming here */
    if (shm_lines_each > SHORT && t->at - t->ring->line >= 3 * batch && all - free <= batch + 1) {
        ring_wrap(t);
        free -= rest;
    }
    t->credit = (int) n > batch ? (int) n : batch;
    t->credit = t->credit < free ? t->credit : free;
    t->free = free - t->credit;
    t->credit -= closed;
}

/* Besides the n lines two more are free, for the cleared words. */
bool shm_ring_has_credit(struct shm_tx *t, unsigned n)
{
    if (has_credit_for(t, n))
        return true;
    take_credit(t, n);
    if (has_credit_for(t, n))
        return true;
    /* Ask to be woken, then look again: the reader returns credit before it looks at the flag. */
    if (!atomic_load_explicit(&t->ring->writer_waits, memory_order_relaxed))
        atomic_store(&t->ring->writer_waits, 1);
    take_credit(t, n);
    return has_credit_for(t, n);
}

void *shm_ring_reserve(struct shm_tx *t, unsigned n)
{
    if (!shm_ring_has_credit(t, n))
        return NULL;
    unsigned rest = (unsigned) (t->end - t->at);
    if (n <= rest)
        return t->at;
    if (!shm_ring_has_credit(t, rest + n))
        return NULL;
    if (n <= (unsigned) (t->end - t->at)) /* take_credit() has gone to the start already */
        return t->at;
    ring_wrap(t);
    t->credit -= (int) rest;
    return t->at;
}

__attribute__((noinline)) void shm_ring_return_credit(struct shm_peer *p)
{
    struct shm_rx *r = &p->rx;

    r->returned = r->consumed;
    atomic_store(&r->ring->consumed, r->consumed);
    if (atomic_load(&r->ring->writer_waits)) {
        atomic_store_explicit(&r->ring->writer_waits, 0, memory_order_relaxed);
        shm_wake(p);
    }
}
