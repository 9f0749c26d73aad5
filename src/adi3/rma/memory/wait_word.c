/* wait_word.c — waits for a word that another process of the node changes, or for a stripe, and the
 * error of memory that CMA does not reach. Every wait ends when that process has died. */
#include <string.h>
#include "adi3/rma/memory/memory_impl.h"

enum {
    SPINS = 200,         /* turns of a wait before it yields the core */
    TURNS_PER_LOOK = 64, /* turns between looks whether the other process is alive */
};

static bool is_dead(const struct rma_memory *m, uint32_t index)
{
    const struct rma_control *c = &m->control[index];
    const struct dev_node *n = &adi3_node;

    if (index >= (uint32_t) m->count || index == (uint32_t) m->me)
        return false;
    while (n && node_job(n)->dev.id != c->job)
        n = node_next(n);
    return n && !n->alive(n, c->local);
}

static int dead_peer_error(const struct rma_memory *m, uint32_t index)
{
    const struct rma_control *c = &m->control[index];

    return adi3_error(MPI_ERR_OTHER,
                      "rank %d of the window (process %d) has died in the middle of an operation "
                      "that others wait for",
                      (int) c->rank, (int) c->pid);
}

int rma_cma_error(const struct rma_control *c, int err)
{
    return adi3_error(MPI_ERR_OTHER,
                      "the memory of rank %d of the window (process %d) cannot be reached by CMA: "
                      "%s",
                      (int) c->rank, (int) c->pid, strerror(-err));
}

/* Passes some time; true when it is time to look whether the other process is alive. */
static bool turn_is_long(unsigned turn)
{
    if (turn < SPINS)
        os_relax();
    else
        os_yield();
    return turn >= SPINS && turn % TURNS_PER_LOOK == 0;
}

int rma_wait_word(const struct rma_memory *m, const _Atomic uint32_t *word, uint32_t value,
                  uint32_t index)
{
    for (unsigned turn = 1; atomic_load_explicit(word, memory_order_acquire) == value; turn++)
        if (turn_is_long(turn) && is_dead(m, index)
            && atomic_load_explicit(word, memory_order_acquire) == value)
            return dead_peer_error(m, index);
    return MPI_SUCCESS;
}

/* ---- stripes --------------------------------------------------------------------------------- */

static bool is_taken(const struct rma_control *owner, uint64_t stripe)
{
    return atomic_load_explicit(&owner->stripes, memory_order_acquire) & stripe;
}

static bool has_announced(const struct rma_memory *m, uint32_t index, uint32_t owner,
                          uint64_t stripe)
{
    const struct rma_control *c = &m->control[index];

    return atomic_load_explicit(&c->holds, memory_order_acquire) & stripe
           && atomic_load_explicit(&c->holds_of, memory_order_relaxed) == owner;
}

/* Whether a process has died with the stripe. What it has announced is looked at again after its
 * death, as it may have gone on until then. */
static bool find_dead_holder(const struct rma_memory *m, uint32_t owner, uint64_t stripe,
                             uint32_t *index)
{
    for (*index = 0; *index < (uint32_t) m->count; ++*index)
        if (has_announced(m, *index, owner, stripe) && is_dead(m, *index)
            && has_announced(m, *index, owner, stripe))
            return true;
    return false;
}

int rma_wait_stripe(const struct rma_memory *m, const struct rma_control *owner, uint64_t stripe)
{
    const uint32_t of = (uint32_t) (owner - m->control);
    uint32_t dead;

    for (unsigned turn = 1; is_taken(owner, stripe); turn++)
        if (turn_is_long(turn) && find_dead_holder(m, of, stripe, &dead) && is_taken(owner, stripe))
            return dead_peer_error(m, dead);
    return MPI_SUCCESS;
}
