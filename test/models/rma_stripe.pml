/* rma_stripe.pml — the stripes of a window, with a holder that may die: rma_stripes_take(),
 * take_in_turn() and rma_stripes_release() of src/adi3/rma/shared/atomic.c, rma_wait_stripe() of
 * src/adi3/rma/memory/wait_word.c.
 *
 * Each process takes both stripes, one or the other, adds 1 to the element of each by a load and a
 * store, and gives them up. One may die anywhere. No update is lost, a wait ends with an error only
 * for a stripe that is taken when a process has died that had it or was about to take it, and no
 * process waits for ever. */
#ifndef PROCS
#define PROCS 3
#endif
#define STRIPES 0 /* a bit for each of two */
#define X       1 /* an element under each */
#define LOCS    3
#define DEPTH   3
#include "memory.h"

#ifndef TURNS
#define TURNS 1
#endif
#ifndef DEATHS
#define DEATHS 0
#endif

byte done[2];  /* updates that are complete, of each element */
byte begun[2]; /* ... and those that have begun */
byte over, deaths;
bit dead[PROCS];
byte holds[PROCS]; /* what a process has announced: read when it is dead, so that all of it is seen */

inline may_die(P)
{
    if
    :: deaths < DEATHS ->
        fence(P); /* what a dead process has stored is in memory */
        atomic { deaths++; dead[P] = 1; goto end }
    :: 1
    fi
}

/* A process has died with the stripe. */
#define dead_has(I, BIT) (dead[I] && (holds[I] & BIT))
#if PROCS == 3
#define dead_holder(BIT) (dead_has(0, BIT) || dead_has(1, BIT) || dead_has(2, BIT))
#else
#define dead_holder(BIT) (dead_has(0, BIT) || dead_has(1, BIT))
#endif

inline wait_stripe(P, BIT)
{
    if
    :: atomic { !(mem[STRIPES] & BIT) -> skip }
#ifndef NO_DEATHS
    :: atomic { dead_holder(BIT) ->
#ifndef NO_SECOND_LOOK
        bad = (mem[STRIPES] & BIT) != 0;
#else
        bad = 1;
#endif
        assert(!bad || (mem[STRIPES] & BIT))
        }
#endif
    fi
}

/* Sets won when the stripes of SET have been free and are this process's now. */
inline change(P, SET)
{
#ifndef PLAIN_TAKE
    compare_exchange(P, STRIPES, seen, seen | SET, won);
#else
    load(P, STRIPES, k);
    won = k == seen;
    if
    :: won -> store(P, STRIPES, seen | SET, RELEASE); fence(P)
    :: else
    fi;
#endif
    if
    :: won -> own = own | SET; seen = seen | SET
    :: else -> load(P, STRIPES, seen)
    fi;
    won = 0
}

inline take(P, SET)
{
    do
    :: bad || own == SET -> break
    :: else ->
        first = SET & ~own & seen;
        first = first & -first;
#ifndef ANY_ORDER
        next = SET & ~own & (first - 1);
#else
        next = SET & ~own & ~seen;
#endif
#ifndef ANNOUNCE_LATE
        holds[P] = own | next;
        may_die(P);
#endif
        if
        :: next -> change(P, next)
        :: else -> wait_stripe(P, first); load(P, STRIPES, seen)
        fi;
#ifdef ANNOUNCE_LATE
        may_die(P);
        holds[P] = own;
#endif
    od;
    seen = 0;
    first = 0;
    next = 0
}

inline give_up(P)
{
#ifdef FORGET_EARLY
    holds[P] = 0;
    may_die(P);
#endif
#ifdef PLAIN_RELEASE
    load(P, STRIPES, seen);
    store(P, STRIPES, seen & ~own, RELEASE);
    seen = 0;
#else
    atomic {
#ifndef RELAXED_RELEASE
        fence(P);
#endif
        mem[STRIPES] = mem[STRIPES] & ~own
    }
#endif
    may_die(P);
    holds[P] = 0;
    own = 0
}

inline update(P, I)
{
    if
    :: own & (1 << I) && !bad ->
        begun[I]++;
        load(P, X + I, x);
        may_die(P);
        store(P, X + I, x + 1, RELAXED);
        done[I]++;
        x = 0
    :: else
    fi
}

proctype user(byte me)
{
    byte n, set, own, seen, first, next, k, x;
    bit bad, won;

    do
    :: n < TURNS ->
        n++;
        if
        :: set = 1
        :: set = 2
        :: set = 3
        fi;
        take(me, set);
        may_die(me);
        update(me, 0);
        update(me, 1);
        may_die(me);
#ifdef KEEP_AFTER_ERROR
        if
        :: bad -> goto end
        :: else
        fi;
#endif
        give_up(me);
        bad = 0;
        set = 0
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
    assert(mem[X] >= done[0] && mem[X] <= begun[0]);
    assert(mem[X + 1] >= done[1] && mem[X + 1] <= begun[1])
}
