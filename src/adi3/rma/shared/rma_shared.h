/* rma_shared.h — what a process does itself in the memory of others of its node: operations,
 * signals and locks; the face of shared to the rooms of one-sided communication above it. */
#ifndef RMA_SHARED_H
#define RMA_SHARED_H

#include "adi3/rma/target/rma_target.h"

/* ---- operations in memory (direct.c, cma.c) -------------------------------------------------- */

/* The data that x names in the memory of this process, which may be a dynamic window's.
 * Errors: MPI_ERR_RMA_RANGE. */
int rma_local_data(const struct adi3_win *w, const struct rma_target *own, const struct adi3_rma *x,
                   struct adi3_data *d);
int rma_direct(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x);
int rma_cma(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x);

/* ---- atomic operations on memory (atomic.c, accumulate.c) ------------------------------------ */

/* The memory of a process of this node, for atomic operations on it by this process. */
struct rma_place {
    const struct rma_memory *memory;
    struct rma_control *owner;
    bool here; /* addresses are those of this process; false: of its owner, by CMA */
};

struct rma_packed {     /* packed elements: */
    size_t at, len;     /* where they are in those of the target, and how many, in packed bytes */
    const void *packed; /* may be NULL for MPI_NO_OP */
    void *fetched;      /* NULL, or where those of the target go as they were before */
};

/* Combines packed elements with those of `target`, whose basic type must not be NULL, and of whose
 * size x->at and x->len are multiples. Each element is one atomic operation among all calls of this
 * and of rma_compare_swap() in all processes of the node. op: one that adi3_op_accumulates().
 * Errors: MPI_ERR_OTHER when a process has died in the middle of such a call, or CMA fails. */
int rma_accumulate(const struct rma_place *p, const struct adi3_data *target,
                   const struct rma_packed *x, const struct adi3_op *op);
/* Sets *result to the element at `at`, and the element to *origin if it was equal to *compare. t is
 * a predefined type of 1 to 16 bytes. */
int rma_compare_swap(const struct rma_place *p, void *at, const struct adi3_type *t,
                     const void *origin, const void *compare, void *result);

/* ---- accumulates by CMA that wait (batch.c) -------------------------------------------------- */

/* Does what is in the batch. Errors: MPI_ERR_OTHER as of rma_accumulate(), and what is left of the
 * batch is lost. */
int rma_batch_run(const struct adi3_win *w, struct rma_target *t);
extern const struct rma_hooks rma_batch_hooks;

/* ---- post and complete (signal.c) ------------------------------------------------------------ */

enum rma_signal_kind { RMA_SIGNAL_POST, RMA_SIGNAL_COMPLETE };

/* Called before an epoch with t: takes a place for signals to it, if it is of this node. Where none
 * is left, t->to stays NULL, and sync packets say so. */
void rma_signal_prepare(struct adi3_win *w, struct rma_target *t);
/* Says so at t->to, and wakes t if it sleeps until then. */
void rma_signal(struct adi3_win *w, struct rma_target *t, enum rma_signal_kind what);
/* Whether t has said so, in shared memory or by a sync packet, and this process has not taken
 * it. */
bool rma_has_signal(struct rma_target *t, enum rma_signal_kind what);
void rma_take_signal(struct rma_target *t, enum rma_signal_kind what);
/* Waits for it. Errors: t is lost. */
int rma_await_signal(struct adi3_win *w, struct rma_target *t, enum rma_signal_kind what);
extern const struct rma_hooks rma_signal_hooks;

/* ---- locks (lock.c) -------------------------------------------------------------------------- */

/* How a lock is taken; also the value of RMA_SYNC_LOCK. A reader that has another lock of the
 * window already joins: it passes writers that wait. */
enum rma_kind { RMA_READS, RMA_WRITES, RMA_JOINS };

uint32_t rma_lock_take(struct rma_lock *l); /* takes a ticket; not for RMA_JOINS */
/* Whether it is the turn of this ticket, which then has the lock, and must not ask again. */
bool rma_lock_served(const struct adi3_win *w, struct rma_lock *l, uint32_t ticket,
                     enum rma_kind kind);
/* Gives the lock up and wakes those of this node that may be next. */
void rma_lock_release(const struct adi3_win *w, struct rma_lock *l, enum rma_kind kind);
/* What a process writes to its `waits` to be woken for this ticket, or whenever a lock of the
 * window is given up. */
uint64_t rma_lock_waits(const struct adi3_win *w, const struct rma_lock *l, uint32_t ticket,
                        enum rma_kind kind);
enum { RMA_LOCK_ANY = -1 };
/* The index of a process that has ended with a lock, or waiting for one; -1: there is none. */
int rma_lock_dead(const struct adi3_win *w);

#endif /* RMA_SHARED_H */
