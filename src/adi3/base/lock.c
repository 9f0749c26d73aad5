/* lock.c — the one lock of ADI3; MPI calls take it where several threads may call at once.
 *
 * Where only a thread of the library runs beside the program, the lock is biased towards the
 * program: a call sets ADI3_INSIDE, then reads adi3_state. The thread sets ADI3_SERVED there,
 * orders the memory of both by membarrier(), and reads adi3_current.inside; when the program is in
 * a call it gives up. So at least one of the two sees the other, and a call executes no atomic
 * operation. Without membarrier() ADI3_LOCKS sends calls to adi3_lock(), which has a fence.
 *
 * All calls do this, whether there is such a thread or not: it can start and end at any time. */
#include "adi3/base/base.h"
#include "platform/os.h"

enum { TRIES = 16, YIELDS = 20 };

bool adi3_threads, adi3_locks;
struct adi3_current adi3_current = { .inside = ADI3_INSIDE };
_Atomic uint32_t adi3_state = ADI3_DOWN;

static struct os_lock lock;
static _Thread_local bool mine; /* this thread has the lock; only where BASE_ASSERTS */
static _Atomic bool biased;     /* towards the program, which has one thread */

static void set_mine(bool is)
{
    if (BASE_ASSERTS)
        mine = is;
}

static uint32_t lock_state(void) { return atomic_load_explicit(&adi3_state, memory_order_acquire); }

/* Waits for the end of what the library's thread does. */
static __attribute__((noinline)) void wait_until_served(void)
{
    uint32_t now;

    for (int i = 0; i < TRIES + YIELDS; i++) {
        if (!(lock_state() & ADI3_SERVED))
            return;
        if (i < TRIES)
            os_relax();
        else
            os_yield();
    }
    while ((now = lock_state()) & ADI3_SERVED)
        if (now & ADI3_AWAITED
            || atomic_compare_exchange_strong(&adi3_state, &now, now | ADI3_AWAITED))
            (void) os_futex_wait(&adi3_state, now | ADI3_AWAITED, UINT64_MAX);
}

void adi3_lock(void)
{
    assert(!mine);
    if (adi3_threads) {
        os_lock_take(&lock);
        set_mine(true);
        return;
    }
    adi3_go_in();
    if (adi3_is(ADI3_LOCKS))
        atomic_thread_fence(memory_order_seq_cst);
    if (__builtin_expect(adi3_is(ADI3_SERVED), 0))
        wait_until_served();
}

void adi3_unlock(void)
{
    assert(adi3_lock_held());
    set_mine(false);
    if (adi3_threads)
        os_lock_drop(&lock);
    else
        adi3_go_out();
}

bool adi3_lock_held(void)
{
    if (!adi3_locks)
        return true;
    if (!adi3_threads)
        return !BASE_ASSERTS || mine || base_inside();
    return BASE_ASSERTS ? mine : os_lock_is_held(&lock);
}

bool adi3_unlock_for(size_t len)
{
    bool unlock = len > (adi3_threads ? ADI3_UNLOCK_BYTES : SIZE_MAX - 1);

    assert(adi3_lock_held());
    if (unlock)
        adi3_unlock();
    return unlock;
}

void base_bias_lock(bool fences)
{
    if (adi3_locks)
        return;
    adi3_locks = true;
    atomic_fetch_or(&adi3_state, fences ? ADI3_LOCKS : 0);
    atomic_store(&biased, true);
}

void base_unbias_lock(void)
{
    assert(adi3_lock_held());
    if (adi3_threads || !adi3_locks)
        return;
    atomic_store(&biased, false);
    atomic_fetch_and(&adi3_state, ~(uint32_t) ADI3_LOCKS);
    adi3_locks = false;
}

bool base_inside(void) { return atomic_load(&adi3_current.inside) & ADI3_INSIDE; }

bool base_moved(void)
{
    unsigned char seen = atomic_load(&adi3_current.inside);

    if (!(seen & ADI3_MOVED))
        return false;
    (void) atomic_compare_exchange_strong(&adi3_current.inside, &seen, seen & ADI3_INSIDE);
    return true;
}

bool base_serve_begin(void)
{
    if (!atomic_load(&biased) || base_inside())
        return false;
    atomic_fetch_or(&adi3_state, ADI3_SERVED);
    os_membarrier();
    if (base_inside()) {
        base_serve_end();
        return false;
    }
    set_mine(true);
    return true;
}

void base_serve_end(void)
{
    set_mine(false);
    if (atomic_fetch_and(&adi3_state, ~(uint32_t) (ADI3_SERVED | ADI3_AWAITED)) & ADI3_AWAITED)
        os_futex_wake(&adi3_state, 1);
}
