/* lock.c — the one lock of ADI3; MPI calls take it where several threads may call at once.
 *
 * Where only a thread of the library runs beside the program, the lock is biased towards the
 * program: a call counts `calls` up, then reads `served`. The thread sets `served`, orders the
 * memory of both by membarrier(), and reads `calls`; when the program is in a call it gives up. So
 * at least one of the two sees the other, and a call executes no atomic operation. */
#include "base.h"
#include "os.h"

enum { FREE, SERVED, AWAITED }; /* AWAITED: SERVED, and a call may sleep until it is FREE */
enum { TRIES = 16, YIELDS = 20 };

bool adi3_threads, adi3_locks;

static struct os_lock lock;
static _Thread_local bool mine; /* this thread has the lock; only where BASE_ASSERTS */

/* The biased lock. The program counts as in a call while its calls take no lock. */
static _Atomic uint32_t calls = 1, served = FREE;
static bool without_membarrier;

static void set_mine(bool is)
{
    if (BASE_ASSERTS)
        mine = is;
}

/* Waits for the end of what the library's thread does. */
static __attribute__((noinline)) void wait_until_served(void)
{
    uint32_t expect = SERVED;

    for (int i = 0; i < TRIES + YIELDS; i++) {
        if (atomic_load_explicit(&served, memory_order_acquire) == FREE)
            return;
        if (i < TRIES)
            os_relax();
        else
            os_yield();
    }
    (void) atomic_compare_exchange_strong(&served, &expect, AWAITED);
    while (atomic_load_explicit(&served, memory_order_acquire) == AWAITED)
        (void) os_futex_wait(&served, AWAITED, UINT64_MAX);
}

static void count_call(memory_order order)
{
    uint32_t now = atomic_load_explicit(&calls, memory_order_relaxed);

    atomic_store_explicit(&calls, now + 1, order);
}

static void begin_call(void)
{
    count_call(memory_order_relaxed);
    if (without_membarrier)
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst); /* for the compiler */
    if (__builtin_expect(atomic_load_explicit(&served, memory_order_acquire) != FREE, 0))
        wait_until_served();
}

void adi3_lock(void)
{
    assert(!mine);
    if (adi3_threads)
        os_lock_take(&lock);
    else
        begin_call();
    set_mine(true);
}

void adi3_unlock(void)
{
    assert(mine);
    set_mine(false);
    if (adi3_threads)
        os_lock_drop(&lock);
    else
        count_call(memory_order_release);
}

bool adi3_lock_held(void)
{
    return !adi3_locks || (BASE_ASSERTS ? mine : !adi3_threads || os_lock_is_held(&lock));
}

bool adi3_unlock_for(size_t len)
{
    bool unlock = adi3_locks && len > (adi3_threads ? ADI3_UNLOCK_BYTES : SIZE_MAX - 1);

    assert(adi3_lock_held());
    if (unlock)
        adi3_unlock();
    return unlock;
}

void base_lock_calls(bool fences)
{
    if (adi3_locks)
        return;
    without_membarrier = fences;
    adi3_locks = true;
    set_mine(true);
}

void base_unlock_calls(void)
{
    assert(adi3_lock_held());
    if (adi3_threads || !adi3_locks)
        return;
    adi3_locks = false;
    set_mine(false);
}

uint32_t base_calls(void) { return atomic_load_explicit(&calls, memory_order_relaxed); }

bool base_serve_begin(void)
{
    if (base_calls() % 2)
        return false;
    atomic_store_explicit(&served, SERVED, memory_order_relaxed);
    os_membarrier();
    if (atomic_load_explicit(&calls, memory_order_acquire) % 2) {
        base_serve_end();
        return false;
    }
    set_mine(true);
    return true;
}

void base_serve_end(void)
{
    set_mine(false);
    if (atomic_exchange_explicit(&served, FREE, memory_order_release) == AWAITED)
        os_futex_wake(&served, 1);
}
