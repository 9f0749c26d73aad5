/* biased_lock.pml — the lock between the calls of a program of one thread and the library's thread:
 * adi3_go_in(), adi3_go_out(), wait_until_served(), base_moved(), base_serve_begin() and _end() of
 * src/adi3/base/lock.c, and the rest of that thread in src/adi3/progress/async.c.
 *
 * A call writes INSIDE and then reads the state; the thread sets SERVED there, orders the memory of
 * both, and reads what the call has written. At most one of them is inside. What one writes inside
 * the other sees inside. The thread takes MOVED away when it looks, and no call is lost by that. A
 * call that sleeps until the thread is out is woken; a thread that rests while the program sleeps in
 * a call goes on when that sleep has ended. */
#define PROCS    2
#define CALL     0 /* locations */
#define STATE    1
#define DATA     2
#define MAY_REST 3
#define RESTS    4
#define LOCS     5
#define DEPTH    3
#include "memory.h"

#define ME     0 /* the program */
#define THREAD 1

#define FREE    0 /* of the state */
#define SERVING 1
#define AWAITED 2

#define IN    1 /* of a call */
#define MOVED 2

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
        store(ME, CALL, IN + MOVED, RELAXED);
#if defined(FENCES) && !defined(NO_CALL_FENCE)
        fence(ME);
#endif
        load(ME, STATE, word);
        if
        :: word != FREE ->
            compare_exchange(ME, STATE, SERVING, AWAITED, ok);
            if
            :: ok ->
                sleeps = mem[STATE] == AWAITED;
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
        store(ME, CALL, MOVED, RELAXED)
#else
        store(ME, CALL, MOVED, RELEASE)
#endif
    :: else -> break
    od;
    over++
}

inline end_service()
{
#ifdef PLAIN_END
    load(THREAD, STATE, word);
    fence(THREAD);
    store(THREAD, STATE, FREE, RELEASE);
#else
    exchange(THREAD, STATE, FREE, word);
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
    bit ok;

    do
    :: turn < TURNS ->
        turn++;
        if
        :: store(THREAD, STATE, SERVING, RELAXED);
#if defined(FENCES) || defined(NO_MEMBARRIER)
           fence(THREAD);
#else
           fence_all(THREAD);
#endif
           load(THREAD, CALL, word);
           if
#ifndef NO_LOOK
           :: word & IN -> skip
#endif
           :: else -> critical(THREAD)
           fi;
           word = 0;
           end_service()
        :: /* looks */
           load(THREAD, CALL, word);
           if
           :: word & MOVED ->
#ifdef PLAIN_LOOK
               store(THREAD, CALL, word & IN, RELAXED);
               fence(THREAD);
#else
               compare_exchange(THREAD, CALL, word, word & IN, ok);
#endif
               ok = 0
           :: else
           fi;
           word = 0
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
