/* fifo.c — the receive FIFO: one queue for all peers that have little to say to a process.
 *
 * A writer claims a cell, fills it and publishes it. It claims with a compare-and-swap that writes
 * its own index into the cell: so the reader can tell when the writer of a claimed cell has died,
 * and passes over the cell. A claim word is
 *
 *   63 .. 32 | 31, 30 | 29 .. 0
 *   lap      | state  | index of the writer + 1, 0 in a free cell
 *
 * The reader frees a cell by giving it the next lap. */
#include "devices/shm/fifo.h"
#include "devices/shm/peer.h"

enum { STUCK = 32 }; /* looks at a claimed cell, before the reader asks whether its writer lives */
_Static_assert((int) SHM_CLAIM_STATE > (int) DEV_INDEX_BITS, "an index and one more fit");

struct shm_fifo *shm_own_fifo;

uint64_t shm_fifo_head;
static int stuck; /* looks at the claimed cell that is next, in vain */

static uint64_t claim_word(uint64_t lap, enum shm_cell_state state, int writer)
{
    return lap << 32 | (uint64_t) state << SHM_CLAIM_STATE | (uint64_t) writer;
}

/* A device that is opened again goes on counting cells from where it was closed. */
void shm_fifo_init(struct shm_fifo *own)
{
    atomic_store(&own->tail, shm_fifo_head);
    for (int i = 0; i < SHM_CELLS; i++) {
        uint64_t lap = (shm_fifo_head + SHM_CELLS - 1 - (unsigned) i) / SHM_CELLS & 0xffffffff;
        atomic_store(&own->cell[i].claim, claim_word(lap, SHM_FREE, 0));
    }
}

struct shm_cell *shm_fifo_claim(struct shm_fifo *in, int index)
{
    uint64_t at = atomic_load_explicit(&in->tail, memory_order_relaxed);
    int me = index + 1;

    for (;; at++) {
        struct shm_cell *c = &in->cell[at % SHM_CELLS];
        uint64_t lap = at / SHM_CELLS & 0xffffffff, free = claim_word(lap, SHM_FREE, 0);
        uint64_t now = atomic_load(&c->claim);
        if ((uint32_t) (lap - (now >> 32)) - 1 < UINT32_MAX / 2)
            return NULL; /* the cell is still of an earlier lap: the FIFO is full */
        if (now != free
            || !atomic_compare_exchange_strong(&c->claim, &now, claim_word(lap, SHM_CLAIMED, me)))
            continue;
        uint64_t seen = atomic_load_explicit(&in->tail, memory_order_relaxed);
        while (seen <= at && !atomic_compare_exchange_weak(&in->tail, &seen, at + 1))
            ; /* another writer has moved the hint; it must not stay behind `at` */
        return c;
    }
}

void shm_fifo_publish(struct shm_cell *c)
{
    uint64_t claim = atomic_load_explicit(&c->claim, memory_order_relaxed);

    atomic_store_explicit(&c->claim,
                          claim + ((uint64_t) (SHM_FILLED - SHM_CLAIMED) << SHM_CLAIM_STATE),
                          memory_order_release);
}

void shm_fifo_wake_writers(void)
{
    if (!atomic_load(&shm_own_fifo->writer_waits))
        return;
    atomic_store_explicit(&shm_own_fifo->writer_waits, 0, memory_order_relaxed);
    shm_fence();
    shm_env->node->wake_all(shm_env->node);
}

void shm_fifo_release(struct shm_cell *c)
{
    uint64_t lap = (shm_fifo_head / SHM_CELLS + 1) & 0xffffffff;

    atomic_store(&c->claim, claim_word(lap, SHM_FREE, 0)); /* before the look at writer_waits */
    shm_fifo_head++;
    stuck = 0;
}

int shm_fifo_writer(const struct shm_cell *c)
{
    return (int) (atomic_load_explicit(&c->claim, memory_order_relaxed) & SHM_CLAIM_WRITER) - 1;
}

static bool is_filled(uint64_t claim) { return (claim >> SHM_CLAIM_STATE & 3) == SHM_FILLED; }

/* The cell at the head is claimed: whether its entry is whole. Frees the cell when its writer died
 * with it. */
static bool is_whole(struct shm_cell *c, uint64_t claim)
{
    if (is_filled(claim))
        return true;
    if (++stuck < STUCK || shm_env->node->alive(shm_env->node, shm_fifo_writer(c)))
        return false;
    if (is_filled(atomic_load(&c->claim))) /* filled just before the writer died */
        return true;
    shm_fifo_release(c);
    return false;
}

struct shm_cell *shm_fifo_next(void)
{
    while (!shm_fifo_is_empty()) {
        const uint64_t at = shm_fifo_head;
        struct shm_cell *c = shm_fifo_at_head();
        if (is_whole(c, atomic_load_explicit(&c->claim, memory_order_acquire)))
            return c;
        if (shm_fifo_head == at)
            break;
    }
    return NULL;
}
