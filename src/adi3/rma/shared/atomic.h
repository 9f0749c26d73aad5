/* atomic.h — how atomic operations exclude each other, for the files that do them.
 *
 * The memory, the type and the address of an element decide how it is accessed, alike in all
 * processes and for all operations:
 *  - An element of 1, 2, 4 or 8 bytes, aligned, no pair and not complex, in shared memory: by
 *    atomic instructions (a single operation). A long run of such elements is combined by the plain
 *    loop (a long operation), while all others keep away from the memory of this owner.
 *  - Any other: by plain loads and stores under the stripes that its bytes are in.
 *
 * Single and long operations. `longs` of the owner says which of them may begin: 0, single ones;
 * RMA_LONGS, long ones; or it is index + 1 of the process that is changing it. A process begins an
 * operation by writing `busy` and then reading `longs`; long ones have a fence between the two.
 * The process that changes `longs` makes sure that all processes see it, for single ones by a
 * barrier in all processes, and waits until none is busy with what may not begin any more. So
 * single operations need no fence. Long ones exclude each other by the stripes of their bytes,
 * which are pages.
 *
 * Stripes are bits of one word of the owner, so that a process takes all that it needs by one
 * instruction where they are free. The word does not say which process has them. So each announces
 * beside `busy` what it has or is about to take, and a process that waits long for a stripe looks
 * whether one has died that has announced it. Then its wait is an error, even if the other one was
 * killed just before it took the stripe. test/models/rma_stripe.pml proves the rest. */
#ifndef ATOMIC_H
#define ATOMIC_H

#include "adi3/rma/shared/shared_impl.h"

enum { RMA_LONGS = INT32_MAX };
enum rma_busy { RMA_BUSY_NOT, RMA_BUSY_SINGLE, RMA_BUSY_LONG };

/* ---- atomic.c -------------------------------------------------------------------------------- */

/* Begins an operation, after those that exclude it. Errors: a process has died; then it has not
 * begun. */
int rma_busy_begin(const struct rma_place *p, enum rma_busy kind);

/* Begins single operations of this process on memory of p->owner: one or a few, since others wait
 * for the end. Errors: as rma_busy_begin(). */
static inline int rma_single_begin(const struct rma_place *p)
{
    _Atomic uint32_t *busy = &p->memory->control[p->memory->me].busy;

    atomic_store_explicit(busy, RMA_BUSY_SINGLE, memory_order_relaxed);
    if (__builtin_expect(adi3_node.fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(
            memory_order_seq_cst); /* the processor is up to longs_change() in atomic.c */
    if (__builtin_expect(atomic_load_explicit(&p->owner->longs, memory_order_acquire) != 0, 0))
        return rma_busy_begin(p, RMA_BUSY_SINGLE);
    return MPI_SUCCESS;
}

static inline void rma_busy_end(const struct rma_place *p)
{
    atomic_store_explicit(&p->memory->control[p->memory->me].busy, RMA_BUSY_NOT,
                          memory_order_release);
}

/* The stripes of len bytes at an offset from the owner's base, as a set of bits; len is not 0. */
uint64_t rma_stripes(const struct rma_control *owner, uint64_t offset, size_t len);
uint64_t rma_pages(uint64_t offset, size_t len); /* those that long operations take */
/* Takes a set of stripes. Errors: a process has died; then none is taken. */
int rma_stripes_take(const struct rma_place *p, uint64_t set);
void rma_stripes_release(const struct rma_place *p, uint64_t set);

/* Begins a long operation on a set of stripes. Not where adi3_node.fences is set. Errors: a process
 * has died. */
int rma_long_begin(const struct rma_place *p, uint64_t set);
void rma_long_end(const struct rma_place *p, uint64_t set);

/* ---- element.c: single operations ------------------------------------------------------------ */

typedef adi3_rma_change rma_elements; /* each element by an atomic instruction */
/* [operation, from MPI_MAX on][log2 of the size] */
extern rma_elements *const rma_elements_of[14][4];
extern rma_elements *const rma_add_floats[2]; /* float, double */

/* Whether an element at this address is accessed by atomic instructions. A process that is alone
 * with its memory may use them for any. */
static inline bool rma_by_instructions(const struct rma_place *p, const struct adi3_type *basic,
                                       const void *at)
{
    return p->here && (p->owner->offset || p->memory->count == 1) && basic->repr < ADI3_F80
           && ((uintptr_t) at & (basic->size - 1)) == 0;
}

/* The function for an operation on elements of such a type. */
static inline rma_elements *rma_elements_for(const struct adi3_op *op,
                                             const struct adi3_type *basic)
{
    if (op->handle == MPI_SUM && basic->repr >= ADI3_F32)
        return rma_add_floats[basic->repr == ADI3_F64];
    return rma_elements_of[op->handle - MPI_MAX][__builtin_ctzl(basic->size)];
}

/* Compares and swaps an element of 1, 2, 4 or 8 bytes. */
void rma_swap_element(char *at, size_t size, const void *origin, const void *compare, void *old);

#endif /* ATOMIC_H */
