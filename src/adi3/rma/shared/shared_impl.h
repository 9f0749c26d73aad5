/* shared_impl.h — shared between the files of src/adi3/rma/shared, and no others. */
#ifndef SHARED_IMPL_H
#define SHARED_IMPL_H

#include "adi3/datatype/datatype.h"
#include "adi3/rma/shared/rma_shared.h"

/* ---- operations in memory (direct.c, batch.c) ------------------------------------------------ */

/* The data that x names in the memory of t, which is at `base` here or in its process.
 * Errors: MPI_ERR_RMA_RANGE. */
int rma_target_data(const struct adi3_win *w, const struct rma_target *t, const struct adi3_rma *x,
                    char *base, struct adi3_data *d);
/* An accumulate operation of any kind on such data. */
int rma_combine(const struct rma_place *p, const struct adi3_data *target,
                const struct adi3_rma *x);
/* Accumulates by CMA (batch.c). Adds one whose data at the target is `there` to the batch of t if
 * it is small and has no result; else those before it are done. Errors: as of rma_batch_run(). */
int rma_batch_add(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  const struct adi3_data *there, bool *added);

/* ---- waking ---------------------------------------------------------------------------------- */

/* Between a store that ends the wait of another process of the node and a look at its sleep word;
 * the sleeper's membarrier orders the two. */
static inline void rma_order(void)
{
    if (__builtin_expect(adi3_node.fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

void rma_wake(const struct adi3_win *w, int index); /* if it sleeps: lock.c */

/* ---- post and complete (signal.c) ------------------------------------------------------------ */

int rma_signal_init(void); /* rma_hooks.init */

#endif /* SHARED_IMPL_H */
