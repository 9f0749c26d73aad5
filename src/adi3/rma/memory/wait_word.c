/* wait_word.c — waits for a word that another process of the node changes, and the error of memory
 * that CMA does not reach. Every wait ends when that process has died. */
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

int rma_wait_word(const struct rma_memory *m, const _Atomic uint32_t *word, uint32_t value,
                  uint32_t index)
{
    for (unsigned turn = 1; atomic_load_explicit(word, memory_order_acquire) == value; turn++) {
        if (turn < SPINS) {
            os_relax();
            continue;
        }
        os_yield();
        if (turn % TURNS_PER_LOOK == 0 && is_dead(m, index)
            && atomic_load_explicit(word, memory_order_acquire) == value)
            return dead_peer_error(m, index);
    }
    return MPI_SUCCESS;
}
