/* thread.c — threads, and a lock that costs two atomic operations when no other thread wants it. */
#include <signal.h>
#include "platform/os.h"

enum { FREE, HELD, CONTENDED }; /* CONTENDED: held, and a thread may sleep until it is free */
/* A thread that finds the lock held spins, then yields its core to other threads and processes,
 * and only then sleeps: waking it costs the owner a system call. */
enum { TRIES = 4, YIELDS = 20 };

static bool try_take(struct os_lock *l)
{
    uint32_t expect = FREE;

    return atomic_compare_exchange_strong_explicit(&l->state, &expect, HELD, memory_order_acquire,
                                                   memory_order_relaxed);
}

void os_lock_take(struct os_lock *l)
{
    for (int i = 0; i < TRIES + YIELDS; i++) {
        if (atomic_load_explicit(&l->state, memory_order_relaxed) == FREE && try_take(l))
            return;
        if (i < TRIES)
            os_relax();
        else
            os_yield();
    }
    while (atomic_exchange_explicit(&l->state, CONTENDED, memory_order_acquire) != FREE)
        (void) os_futex_wait(&l->state, CONTENDED, UINT64_MAX);
}

void os_lock_drop(struct os_lock *l)
{
    if (atomic_exchange_explicit(&l->state, FREE, memory_order_release) == CONTENDED)
        os_futex_wake(&l->state, 1);
}

bool os_lock_is_held(const struct os_lock *l)
{
    return atomic_load_explicit(&l->state, memory_order_relaxed) != FREE;
}

int os_thread_start(struct os_thread *t, void *(*run)(void *) )
{
    sigset_t all, before;

    (void) sigfillset(&all);
    (void) pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&t->id, NULL, run, NULL);
    (void) pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -err;
}

void os_thread_join(struct os_thread *t) { (void) pthread_join(t->id, NULL); }
