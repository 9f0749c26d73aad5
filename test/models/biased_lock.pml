/* biased_lock.pml — the lock between the calls of a program of one thread and the library's thread:
 * begin_call(), count_call(), wait_until_served(), base_serve_begin() and _end() of
 * src/adi3/base/lock.c, and the rest of that thread in src/adi3/progress/async.c.
 *
 * A call counts `calls` up, to an odd number, and then reads `served`; the thread sets `served`,
 * orders the memory of both, and reads `calls`. At most one of them is inside. What one writes
 * inside the other sees inside. A call that sleeps until the thread is out is woken; a thread that
 * rests while the program sleeps in a call goes on when that sleep has ended. */
#define PROCS    2
#define CALLS    0 /* locations */
#define SERVED   1
#define DATA     2
#define MAY_REST 3
#define RESTS    4
#define LOCS     5
#define DEPTH    3
#include "memory.h"

#define ME     0 /* the program */
#define THREAD 1

#define FREE    0
#define SERVING 1
#define AWAITED 2

#define TURNS 2

byte inside;   /* how many have the lock */
byte written;  /* what was last written inside */
bit sleeps;    /* the program, until the thread is out */
bit wakes;     /* the eventfd of the thread */
byte over;

inline critical(P)
{
    inside++;
    assert(inside == 1);
    load(P, DATA, seen);
    assert(seen == written);
    d_step {
        written = (written + 1) % 4;
        seen = 0
    }
    store(P, DATA, written, RELAXED);
    inside--
}

/* A sleep of the program in a call: the thread may rest meanwhile. It may also be over at once. */
inline sleep_in_call()
{
    fence(ME);
    store(ME, MAY_REST, 1, RELAXED);
    fence(ME);
    store(ME, MAY_REST, 0, RELAXED);
#ifndef NO_REST_FENCE
    fence(ME);
#endif
    load(ME, RESTS, word);
    if
    :: word -> wakes = 1
    :: else
    fi;
    word = 0
}

proctype program()
{
    byte turn, word, seen, k;
    bit ok;

    do
    :: turn < TURNS ->
        turn++;
        store(ME, CALLS, turn * 2 - 1, RELAXED);
#if defined(FENCES) && !defined(NO_CALL_FENCE)
        fence(ME);
#endif
        load(ME, SERVED, word);
        if
        :: word != FREE ->
            compare_exchange(ME, SERVED, SERVING, AWAITED, ok);
            if
            :: ok ->
                sleeps = mem[SERVED] == AWAITED;
                !sleeps
            :: else /* it has been FREE since the call began */
            fi;
            ok = 0
        :: else
        fi;
        word = 0;
        critical(ME);
        if
        :: sleep_in_call()
        :: skip
        fi;
#ifdef RELAXED_LEAVE
        store(ME, CALLS, turn * 2, RELAXED)
#else
        store(ME, CALLS, turn * 2, RELEASE)
#endif
    :: else -> break
    od;
    over++
}

inline end_service()
{
#ifdef PLAIN_END
    load(THREAD, SERVED, word);
    fence(THREAD);
    store(THREAD, SERVED, FREE, RELEASE);
#else
    exchange(THREAD, SERVED, FREE, word);
#endif
    if
    :: word == AWAITED -> sleeps = 0
    :: else
    fi;
    word = 0
}

proctype thread()
{
    byte turn, word, seen, k;

    do
    :: turn < TURNS ->
        turn++;
        if
        :: store(THREAD, SERVED, SERVING, RELAXED);
#if defined(FENCES) || defined(NO_MEMBARRIER)
           fence(THREAD);
#else
           fence_all(THREAD);
#endif
           load(THREAD, CALLS, word);
           if
#ifndef NO_LOOK
           :: word % 2 -> skip
#endif
           :: else -> critical(THREAD)
           fi;
           word = 0;
           end_service()
        :: /* rests */
           fence(THREAD);
           store(THREAD, RESTS, 1, RELAXED);
           fence(THREAD);
           load(THREAD, MAY_REST, word);
           if
           :: word -> atomic { wakes; wakes = 0 }
           :: else
           fi;
           word = 0;
           fence(THREAD);
           store(THREAD, RESTS, 0, RELAXED)
        fi
    :: else -> break
    od;
    over++
}

init
{
    atomic {
        run program();
        run thread()
    }
    timeout;
    assert(over == 2) /* nothing can move: no wake-up was lost */
}
