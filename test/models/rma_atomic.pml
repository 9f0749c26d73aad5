/* rma_atomic.pml — single and long operations on one element, which must not lose an update:
 * rma_single_begin(), rma_single_wait(), rma_long_begin() of src/adi3/rma/atomic.h and atomic.c.
 *
 * Each process adds 1 as often as it likes to, up to TURNS, by an atomic instruction or by a plain
 * load and store, and one may die in the middle of that. Waits for it end with an error; no other
 * wait does, and none is for ever. */
#ifndef PROCS
#define PROCS 2
#endif
#define LONGS 0 /* locations */
#define X     1 /* the element */
#define BUSY  2 /* of each process */
#define LOCS  (BUSY + PROCS)
#define DEPTH 3
#include "memory.h"

#ifndef TURNS
#define TURNS 2
#endif
#ifndef DEATHS
#define DEATHS 0
#endif

#define IDLE  255 /* in LONGS */
#define NOT   0   /* in BUSY */
#define IS    1
#define WAITS 2

byte done;        /* updates that are complete */
byte begun;       /* ... and those that have begun */
byte over, deaths;
bit dead[PROCS], middle[PROCS]; /* middle: of an operation */

#ifdef TSO
#define instruction(P) fence(P)
#else
#define instruction(P) skip
#endif

#ifdef RELAXED_IDLE
#define IDLE_ORDER RELAXED
#else
#define IDLE_ORDER RELEASE
#endif

/* rma_wait_word(): BAD when the other has died in the middle. */
inline wait_word(P, WHERE, VALUE, WHO, BAD)
{
    if
    :: atomic { mem[WHERE] != VALUE -> skip }
    :: atomic { dead[WHO] ->
#ifndef NO_SECOND_LOOK
        BAD = mem[WHERE] == VALUE
#else
        BAD = 1
#endif
        }
        assert(!BAD || middle[WHO])
    fi
}

inline may_die(P)
{
    if
    :: deaths < DEATHS ->
        fence(P); /* what a dead process has stored is in memory */
        atomic { deaths++; dead[P] = 1; goto end }
    :: 1
    fi
}

inline single_begin(P)
{
#ifdef BUSY_LATE
    load(P, LONGS, now);
    store(P, BUSY + P, IS, RELAXED);
#else
    store(P, BUSY + P, IS, RELAXED);
    load(P, LONGS, now);
#endif
    do
    :: now == 0 || bad -> break
    :: else ->
        store(P, BUSY + P, WAITS, RELEASE);
        load(P, LONGS, now);
        if
        :: now == IDLE ->
#ifndef PLAIN_CLEAR
            compare_exchange(P, LONGS, IDLE, 0, won)
#else
            store(P, LONGS, 0, RELEASE)
#endif
        :: now == 0 ->
            store(P, BUSY + P, IS, RELAXED);
            fence(P);
            load(P, LONGS, now);
            if
            :: now == 0 -> break
            :: else
            fi
        :: else -> wait_word(P, LONGS, now, now - 1, bad)
        fi;
        now = 1
    od;
    won = 0;
    now = 0
}

inline drain(P)
{
#ifndef NO_MEMBARRIER
    fence_all(P);
#endif
    i = 0;
    do
    :: i < PROCS && !bad ->
        if
#ifndef NO_DRAIN
        :: i != P ->
            wait_word(P, BUSY + i, IS, i, bad)
#ifdef WAITS_FOR_WAITERS
            ; mem[BUSY + i] != WAITS
#endif
#endif
        :: i == P
#ifdef NO_DRAIN
        :: else
#endif
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    if
#if defined(IDLE_AFTER_ERROR)
    :: bad -> middle[P] = 0; store(P, LONGS, IDLE, RELEASE)
#elif !defined(KEEP_AFTER_ERROR)
    :: bad -> middle[P] = 0; store(P, LONGS, 0, RELEASE)
#endif
    :: else
    fi
}

inline long_begin(P)
{
    do
    :: bad || won -> break
    :: else ->
        load(P, LONGS, now);
        if
        :: now != 0 && now != IDLE -> wait_word(P, LONGS, now, now - 1, bad)
        :: else ->
            atomic {
                compare_exchange(P, LONGS, now, P + 1, won);
                middle[P] = won
            }
            if
#ifndef NEVER_DRAIN
            :: won && now == 0 -> drain(P)
#endif
            :: else
            fi
        fi
    od;
    won = 0;
    now = 0
}

proctype user(byte me)
{
    byte n, now, i, k, x;
    bit bad, won;

    do
    :: n < TURNS ->
        n++;
        middle[me] = 1;
        single_begin(me);
        if
        :: bad -> store(me, BUSY + me, NOT, RELEASE)
        :: else ->
            may_die(me);
            atomic { instruction(me); mem[X] = mem[X] + 1; begun++; done++ }
            may_die(me);
            atomic { store(me, BUSY + me, NOT, RELEASE); }
        fi;
        middle[me] = 0;
        bad = 0
    :: n < TURNS ->
        n++;
        may_die(me);
        long_begin(me);
        if
        :: bad
        :: else ->
            begun++;
            load(me, X, x);
            store(me, X, x + 1, RELAXED);
            may_die(me);
            done++;
            store(me, LONGS, IDLE, IDLE_ORDER);
            x = 0
        fi;
        middle[me] = 0;
        bad = 0
    :: break
    od;
end:
    over++
}

init
{
    byte i;

    atomic {
        do
        :: i < PROCS -> run user(i); i++
        :: else -> break
        od
    }
    timeout;
    assert(over == PROCS);
    assert(mem[X] >= done && mem[X] <= begun)
}
