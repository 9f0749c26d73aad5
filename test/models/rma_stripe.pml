/* rma_stripe.pml — the stripes of a window, with a holder that may die: rma_stripes_take(),
 * take_stripe() and rma_stripes_release() of src/adi3/rma/shared/atomic.c, rma_wait_word() of
 * src/adi3/rma/memory/wait_word.c.
 *
 * Each process takes both stripes, one or the other, adds 1 to the element of each by a load and a
 * store, and gives them up. One may die anywhere. No update is lost, a wait ends with an error only
 * when the holder is dead and still has the stripe, and no process waits for ever. */
#ifndef PROCS
#define PROCS 3
#endif
#define STRIPE 0 /* two: number + 1 of the holder, or 0 */
#define X      2 /* an element under each */
#define LOCS   4
#define DEPTH  3
#include "memory.h"

#ifndef TURNS
#define TURNS 1
#endif
#ifndef DEATHS
#define DEATHS 0
#endif

#ifdef RELAXED_RELEASE
#define RELEASE_ORDER RELAXED
#else
#define RELEASE_ORDER RELEASE
#endif

byte done[2];  /* updates that are complete, of each element */
byte begun[2]; /* ... and those that have begun */
byte over, deaths;
bit dead[PROCS], has[PROCS * 2]; /* has: the stripe is taken and not given up */

inline may_die(P)
{
    if
    :: deaths < DEATHS ->
        fence(P); /* what a dead process has stored is in memory */
        atomic { deaths++; dead[P] = 1; goto end }
    :: 1
    fi
}

/* rma_wait_word(): bad when the holder has died with the stripe. */
inline wait_word(P, WHERE, VALUE)
{
    if
    :: atomic { mem[WHERE] != VALUE -> skip }
#ifndef NO_DEATHS
    :: atomic { dead[VALUE - 1] ->
#ifndef NO_SECOND_LOOK
        bad = mem[WHERE] == VALUE
#else
        bad = 1
#endif
        }
        assert(!bad || has[(VALUE - 1) * 2 + WHERE - STRIPE])
#endif
    fi
}

inline take(P, I)
{
    do
    :: bad || has[P * 2 + I] -> break
    :: else ->
#ifndef PLAIN_TAKE
        compare_exchange(P, STRIPE + I, 0, P + 1, won);
        has[P * 2 + I] = won;
#else
        load(P, STRIPE + I, now);
        if
        :: now == 0 -> store(P, STRIPE + I, P + 1, RELEASE); fence(P); has[P * 2 + I] = 1; won = 1
        :: else -> won = 0
        fi;
#endif
        if
        :: won
        :: else ->
            load(P, STRIPE + I, now);
            if
            :: now == 0
            :: else -> wait_word(P, STRIPE + I, now)
            fi
        fi
    od;
    won = 0;
    now = 0
}

inline give_up(P, I)
{
    if
    :: has[P * 2 + I] ->
        store(P, STRIPE + I, 0, RELEASE_ORDER);
        has[P * 2 + I] = 0
    :: else
    fi
}

inline update(P, I)
{
    if
    :: has[P * 2 + I] && !bad ->
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
    byte n, now, k, x;
    bit bad, won, first, both;

    do
    :: n < TURNS ->
        n++;
        if
        :: both = 1; first = 0
        :: both = 0; first = 0
        :: both = 0; first = 1
#ifdef ANY_ORDER
        :: both = 1; first = 1
#endif
        fi;
        if
        :: !first -> take(me, 0)
        :: else
        fi;
        may_die(me);
        if
        :: both || first -> take(me, 1)
        :: else
        fi;
#ifdef ANY_ORDER
        if
        :: both && first -> take(me, 0)
        :: else
        fi;
#endif
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
        give_up(me, 0);
        give_up(me, 1);
        may_die(me);
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
    assert(mem[X] >= done[0] && mem[X] <= begun[0]);
    assert(mem[X + 1] >= done[1] && mem[X + 1] <= begun[1])
}
