/* element.c — operations on elements by atomic instructions.
 *
 * By the processor's own instruction where there is one; else a compare-and-swap is tried with the
 * result of the plain kernel until no other process came between. What only reads or only writes is
 * copied in words: a load or store of a word is atomic for each element in it. */
#include <string.h>
#include "adi3/rma/shared/atomic.h"

/* The user's memory has any type. */
typedef _Atomic uint8_t any8 __attribute__((may_alias));
typedef _Atomic uint16_t any16 __attribute__((may_alias));
typedef _Atomic uint32_t any32 __attribute__((may_alias));
typedef _Atomic uint64_t any64 __attribute__((may_alias));

#define PARAMETERS                                                                                 \
    char *at, const char *in, char *old, size_t n, const struct adi3_op *op,                       \
        const struct adi3_type *basic

/* A function that does `update` for each element, which sets `was` from `here` and `x`. */
#define ELEMENTS(name, bits, update)                                                               \
    static void name##bits(PARAMETERS)                                                             \
    {                                                                                              \
        (void) op;                                                                                 \
        (void) basic;                                                                              \
        for (; n > 0; n--, at += bits / 8, in += bits / 8) {                                       \
            any##bits *here = (any##bits *) (void *) at;                                           \
            uint##bits##_t x, was;                                                                 \
            memcpy(&x, in, sizeof x);                                                              \
            update;                                                                                \
            if (old) {                                                                             \
                memcpy(old, &was, sizeof was);                                                     \
                old += sizeof was;                                                                 \
            }                                                                                      \
        }                                                                                          \
    }

#define BY_INSTRUCTION(name, function)                                                             \
    ELEMENTS(name, 8, was = function(here, x, memory_order_relaxed))                               \
    ELEMENTS(name, 16, was = function(here, x, memory_order_relaxed))                              \
    ELEMENTS(name, 32, was = function(here, x, memory_order_relaxed))                              \
    ELEMENTS(name, 64, was = function(here, x, memory_order_relaxed))

BY_INSTRUCTION(add, atomic_fetch_add_explicit)
BY_INSTRUCTION(and, atomic_fetch_and_explicit)
BY_INSTRUCTION(or, atomic_fetch_or_explicit)
BY_INSTRUCTION(xor, atomic_fetch_xor_explicit)
BY_INSTRUCTION(exchange, atomic_exchange_explicit)

#define SWAP(here, was, now)                                                                       \
    atomic_compare_exchange_weak_explicit(here, &(was), now, memory_order_relaxed,                 \
                                          memory_order_relaxed)

/* Where the element stays as it is, nothing is written. */
#define BY_KERNEL(bits)                                                                            \
    static void kernel##bits(PARAMETERS)                                                           \
    {                                                                                              \
        for (; n > 0; n--, at += bits / 8, in += bits / 8) {                                       \
            any##bits *here = (any##bits *) (void *) at;                                           \
            uint##bits##_t was = atomic_load_explicit(here, memory_order_relaxed), now;            \
            do {                                                                                   \
                now = was;                                                                         \
                adi3_reduce(op, in, &now, 1, basic);                                               \
            } while (now != was && !SWAP(here, was, now));                                         \
            if (old) {                                                                             \
                memcpy(old, &was, sizeof was);                                                     \
                old += sizeof was;                                                                 \
            }                                                                                      \
        }                                                                                          \
    }

BY_KERNEL(8)
BY_KERNEL(16)
BY_KERNEL(32)
BY_KERNEL(64)

/* ---- sums of floating-point numbers ---------------------------------------------------------- */

#define ADD(type, bits)                                                                            \
    static inline uint##bits##_t add_##type(any##bits *here, uint##bits##_t in)                    \
    {                                                                                              \
        uint##bits##_t was = atomic_load_explicit(here, memory_order_relaxed), now;                \
        type x, y;                                                                                 \
                                                                                                   \
        memcpy(&x, &in, sizeof x);                                                                 \
        do {                                                                                       \
            memcpy(&y, &was, sizeof y);                                                            \
            y = x + y;                                                                             \
            memcpy(&now, &y, sizeof now);                                                          \
        } while (!SWAP(here, was, now));                                                           \
        return was;                                                                                \
    }                                                                                              \
    ELEMENTS(add_##type, bits, was = add_##type(here, x))

ADD(float, 32)
ADD(double, 64)

rma_elements *const rma_add_floats[2] = { add_float32, add_double64 };

/* ---- loads and stores ------------------------------------------------------------------------ */

#define LOAD_AND_STORE(bits)                                                                       \
    static inline void word_load##bits(char *at, char *to)                                         \
    {                                                                                              \
        uint##bits##_t x = atomic_load_explicit((any##bits *) (void *) at, memory_order_relaxed);  \
        memcpy(to, &x, sizeof x);                                                                  \
    }                                                                                              \
    static inline void word_store##bits(char *at, const char *from)                                \
    {                                                                                              \
        uint##bits##_t x;                                                                          \
        memcpy(&x, from, sizeof x);                                                                \
        atomic_store_explicit((any##bits *) (void *) at, x, memory_order_relaxed);                 \
    }

LOAD_AND_STORE(8)
LOAD_AND_STORE(16)
LOAD_AND_STORE(32)
LOAD_AND_STORE(64)

static void elements_load(PARAMETERS)
{
    size_t len = n * basic->size, some;

    (void) op, (void) in;
    for (; old && len > 0; at += some, old += some, len -= some) {
        some = (uintptr_t) at % 8 == 0 && len >= 8 ? 8 : basic->size;
        if (some == 8)
            word_load64(at, old);
        else if (some == 4)
            word_load32(at, old);
        else if (some == 2)
            word_load16(at, old);
        else
            word_load8(at, old);
    }
}

static void elements_store(char *at, const char *in, size_t n, size_t size)
{
    for (size_t len = n * size, some; len > 0; at += some, in += some, len -= some) {
        some = (uintptr_t) at % 8 == 0 && len >= 8 ? 8 : size;
        if (some == 8)
            word_store64(at, in);
        else if (some == 4)
            word_store32(at, in);
        else if (some == 2)
            word_store16(at, in);
        else
            word_store8(at, in);
    }
}

static void elements_replace(PARAMETERS)
{
    static rma_elements *const exchange[] = { exchange8, exchange16, exchange32, exchange64 };

    if (old)
        exchange[__builtin_ctzl(basic->size)](at, in, old, n, op, basic);
    else
        elements_store(at, in, n, basic->size);
}

/* ---- which ----------------------------------------------------------------------------------- */

#define ROW(op) [(op) -MPI_MAX]
#define WIDTHS(name)                                                                               \
    {                                                                                              \
        name##8, name##16, name##32, name##64                                                      \
    }

rma_elements *const rma_elements_of[14][4] = {
    ROW(MPI_MAX) = WIDTHS(kernel),
    ROW(MPI_MIN) = WIDTHS(kernel),
    ROW(MPI_SUM) = WIDTHS(add),
    ROW(MPI_PROD) = WIDTHS(kernel),
    ROW(MPI_LAND) = WIDTHS(kernel),
    ROW(MPI_BAND) = WIDTHS(and),
    ROW(MPI_LOR) = WIDTHS(kernel),
    ROW(MPI_BOR) = WIDTHS(or),
    ROW(MPI_LXOR) = WIDTHS(kernel),
    ROW(MPI_BXOR) = WIDTHS(xor),
    ROW(MPI_REPLACE) = { elements_replace, elements_replace, elements_replace, elements_replace },
    ROW(MPI_NO_OP) = { elements_load, elements_load, elements_load, elements_load },
};

/* ---- compare and swap ------------------------------------------------------------------------ */

#define SWAP_ELEMENT(bits)                                                                         \
    static void swap##bits(char *at, const void *origin, const void *compare, void *old)           \
    {                                                                                              \
        uint##bits##_t was, now;                                                                   \
                                                                                                   \
        memcpy(&was, compare, sizeof was);                                                         \
        memcpy(&now, origin, sizeof now);                                                          \
        (void) atomic_compare_exchange_strong_explicit(                                            \
            (any##bits *) (void *) at, &was, now, memory_order_relaxed, memory_order_relaxed);     \
        memcpy(old, &was, sizeof was);                                                             \
    }

SWAP_ELEMENT(8)
SWAP_ELEMENT(16)
SWAP_ELEMENT(32)
SWAP_ELEMENT(64)

void rma_swap_element(char *at, size_t size, const void *origin, const void *compare, void *old)
{
    switch (size) {
    case 1:
        swap8(at, origin, compare, old);
        break;
    case 2:
        swap16(at, origin, compare, old);
        break;
    case 4:
        swap32(at, origin, compare, old);
        break;
    default:
        swap64(at, origin, compare, old);
    }
}

/* ---- the common operation on one element ----------------------------------------------------- */

struct adi3_rma_how adi3_rma_how(const struct adi3_op *op, const struct adi3_type *type)
{
    return (struct adi3_rma_how) { type, op, op ? rma_elements_for(op, type) : NULL };
}

bool adi3_rma_element(struct adi3_win *w, int target, MPI_Aint disp, const struct adi3_rma_how *how,
                      const struct adi3_rma_element *e)
{
    char *at = adi3_rma_direct(w, target, disp, how->type->size);

    assert(adi3_lock_held());
    if (!at)
        return false;
    const struct rma_place p = { w->memory, adi3_rma_touched(w, target)->control, true };
    if (!rma_by_instructions(&p, how->type, at) || rma_single_begin(&p))
        return false;
    if (how->change)
        how->change(at, e->origin, e->result, 1, how->op, how->type);
    else
        rma_swap_element(at, how->type->size, e->origin, e->compare, e->result);
    rma_busy_end(&p);
    return true;
}
