/* rma_atomic.pml — single and long operations on one element, which must not lose an update:
 * rma_single_begin(), rma_busy_begin(), rma_long_begin() of src/adi3/rma/shared/atomic.h and
 * atomic.c.
 *
 * Each process adds 1 as often as it likes to, up to TURNS, by an atomic instruction or by a plain
 * load and store, and one may die in the middle of that. Waits for it end with an error; no other
 * wait does, and none is for ever. The stripe is a word that says which process has it: rma_stripe.pml has
 * the bits. */
#ifndef PROCS
#define PROCS 2
#endif
#define LONGS 0 /* locations */
#define X     1 /* the element */
#define STRIPE 2 /* of the element */
#define BUSY  3 /* of each process */
#define LOCS  (BUSY + PROCS)
#define DEPTH 3
#include "memory.h"

#ifndef TURNS
#define TURNS 2
#endif
#ifndef DEATHS
#define DEATHS 0
#endif

#define LMODE  255 /* in LONGS: long operations may begin */
#define NOT    0   /* in BUSY */
#define SINGLE 1
#define LONG   2

byte done;        /* updates that are complete */
byte begun;       /* ... and those that have begun */
byte over, deaths;
bit dead[PROCS], middle[PROCS]; /* middle: of an operation */

#ifdef TSO
#define instruction(P) fence(P)
#else
#define instruction(P) skip
#endif

#ifdef RELAXED_END
#define END_ORDER RELAXED
#else
#define END_ORDER RELEASE
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

inline drain(P, KIND)
{
    if
    :: KIND == SINGLE ->
#ifndef NO_MEMBARRIER
        fence_all(P)
#endif
    :: else -> fence(P)
    fi;
    i = 0;
    do
    :: i < PROCS && !bad ->
        if
#ifndef NO_DRAIN
        :: i != P -> wait_word(P, BUSY + i, KIND, i, bad)
        :: i == P
#else
        :: 1
#endif
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

inline change(P, KIND, MODE)
{
    may_die(P);
    drain(P, 3 - KIND);
    may_die(P);
    if
    :: bad ->
        middle[P] = 0;
#ifdef MODE_AFTER_ERROR
        store(P, LONGS, MODE, RELEASE)
#elif !defined(KEEP_AFTER_ERROR)
        store(P, LONGS, now, RELEASE)
#endif
    :: else ->
#ifndef BUSY_BEHIND
        store(P, BUSY + P, KIND, RELAXED);
        store(P, LONGS, MODE, RELEASE)
#else
        store(P, LONGS, MODE, RELEASE);
        store(P, BUSY + P, KIND, RELAXED)
#endif
    fi
}

inline begin(P, KIND, MODE)
{
    do
    :: bad || won -> break
    :: else ->
        store(P, BUSY + P, KIND, RELAXED);
#ifndef NO_FENCE
        fence(P);
#endif
        load(P, LONGS, now);
        if
        :: now == MODE -> break
        :: else ->
            store(P, BUSY + P, NOT, RELEASE);
            if
            :: now == 0 || now == LMODE ->
#ifndef PLAIN_CHANGE
                compare_exchange(P, LONGS, now, P + 1, won);
#else
                store(P, LONGS, P + 1, RELEASE);
                won = 1;
#endif
                if
                :: won -> change(P, KIND, MODE)
                :: else
                fi
            :: else -> wait_word(P, LONGS, now, now - 1, bad)
            fi
        fi
    od;
    won = 0;
    now = 0
}

inline single_begin(P)
{
#ifdef BUSY_LATE
    load(P, LONGS, now);
    store(P, BUSY + P, SINGLE, RELAXED);
#else
    store(P, BUSY + P, SINGLE, RELAXED);
    load(P, LONGS, now);
#endif
    if
    :: now != 0 -> begin(P, SINGLE, 0)
    :: else
    fi;
    now = 0
}

inline long_begin(P)
{
    begin(P, LONG, LMODE);
#ifndef NO_STRIPE
    do
    :: bad || won -> break
    :: else ->
        compare_exchange(P, STRIPE, 0, P + 1, won);
        if
        :: won
        :: else ->
            load(P, STRIPE, now);
            if
            :: now -> wait_word(P, STRIPE, now, now - 1, bad)
            :: else
            fi
        fi
    od;
    won = 0;
    now = 0;
#endif
    if
    :: bad -> store(P, BUSY + P, NOT, RELEASE)
    :: else
    fi
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
            store(me, BUSY + me, NOT, END_ORDER)
        fi;
        middle[me] = 0;
        bad = 0
    :: n < TURNS ->
        n++;
        may_die(me);
        middle[me] = 1;
        long_begin(me);
        if
        :: bad
        :: else ->
            begun++;
            load(me, X, x);
            store(me, X, x + 1, RELAXED);
            may_die(me);
            done++;
            store(me, STRIPE, 0, RELEASE);
            store(me, BUSY + me, NOT, END_ORDER);
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
