/* rma_pscw.pml — post, start, complete and wait in shared memory: src/adi3/rma/shared/signal.c and
 * epoch/pscw.c, over sleep_until_woken() of src/adi3/progress/sleep.c.
 *
 * Processes 0 to ORIGINS - 1 are origins, FIRST_TARGET to the last are targets; one may be both.
 * In each round a target clears its data, posts to all origins, waits for all and checks what they
 * have written; an origin starts to all targets, writes to some of them, and completes. So a post
 * for the next round may come before another target has posted for this one. Counts are modulo 2: that is
 * enough when none is ahead by more than one.
 *
 * With PLACES a process takes a place before it first says something, and the other one finds no
 * count before that.
 *
 * A process that sleeps though what it awaits has been said, when no other can move, has lost its
 * wake-up. */
#ifndef ORIGINS
#define ORIGINS 2
#endif
#ifndef FIRST_TARGET
#define FIRST_TARGET ORIGINS
#endif
#ifndef PROCS
#define PROCS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define PAIRS     (ORIGINS * (PROCS - FIRST_TARGET))
#define POSTS     0 /* locations: counts and data of each pair, ... */
#define COMPLETES PAIRS
#define DATA      (2 * PAIRS)
#define AWAITS    (3 * PAIRS) /* ... and of each process: index + 1 of the one it waits for */
#define ASLEEP    (AWAITS + PROCS)
#define PLACES_AT (ASLEEP + PROCS) /* by the location of their counts */
#ifdef PLACES
#define LOCS (PLACES_AT + 2 * PAIRS)
#else
#define LOCS PLACES_AT
#endif
#define DEPTH     3
#include "memory.h"

#define pair(ORIGIN, TARGET) (((TARGET) - FIRST_TARGET) * ORIGINS + (ORIGIN))

bit sleeps[PROCS]; /* in the kernel, ... */
byte at[PROCS];    /* ... until the count at this location, and 1, ... */
byte taken[PROCS]; /* ... is not this */
bit wrote[PAIRS];  /* the origin has had an operation in this round */
byte over;         /* processes that have ended */

#if defined(FENCES) && !defined(NO_SIGNAL_FENCE)
#define order(P) fence(P)
#else
#define order(P) skip
#endif

#ifdef RELAXED_SIGNAL
#define HOW RELAXED
#else
#define HOW RELEASE
#endif

/* rma_signal_prepare() */
inline prepare(P, WHERE)
{
#ifdef PLACES
    if
    :: n == 1 -> exchange(P, PLACES_AT + (WHERE), 1, word); word = 0
    :: else
    fi
#else
    skip
#endif
}

/* rma_has_signal(): the word is the count, or TAKEN when there is no place yet. */
inline look(P, WHERE, TAKEN)
{
#ifdef PLACES
    load(P, PLACES_AT + (WHERE), word);
    if
    :: word -> load(P, WHERE, word)
    :: else -> word = TAKEN
    fi
#else
    load(P, WHERE, word)
#endif
}

/* rma_signal() of P to process TO, which looks at WHERE. */
inline signal(P, WHERE, COUNT, TO)
{
    prepare(P, WHERE);
    store(P, WHERE, COUNT, HOW);
    order(P);
#ifndef NO_WAKE
    load(P, AWAITS + TO, word);
    if
    :: word == P + 1 ->
        load(P, ASLEEP + TO, word);
        if
        :: word ->
            exchange(P, ASLEEP + TO, 0, word);
            if
            :: word -> sleeps[TO] = 0
            :: else
            fi
        :: else
        fi
    :: else
    fi;
    word = 0
#endif
}

/* rma_await_signal() of P from process FROM. It may sleep at once. */
inline await(P, WHERE, TAKEN, FROM)
{
    look(P, WHERE, TAKEN);
    if
    :: word == TAKEN ->
#ifndef AWAITS_LATE
        store(P, AWAITS + P, FROM + 1, RELAXED);
#endif
        do
        :: word == TAKEN ->
            store(P, ASLEEP + P, 1, RELAXED);
#if defined(FENCES) || defined(NO_MEMBARRIER)
            fence(P);
#else
            fence_all(P);
#endif
#ifndef NO_SECOND_LOOK
            look(P, WHERE, TAKEN);
#endif
#ifdef AWAITS_LATE
            store(P, AWAITS + P, FROM + 1, RELAXED);
#endif
            if
            :: word == TAKEN ->
                atomic { /* the kernel compares the word itself */
                    fence(P);
                    sleeps[P] = mem[ASLEEP + P];
                    at[P] = WHERE + 1;
                    taken[P] = TAKEN
                }
                atomic {
                    !sleeps[P];
                    at[P] = 0;
                    taken[P] = 0
                }
            :: else
            fi;
            exchange(P, ASLEEP + P, 0, word);
            look(P, WHERE, TAKEN)
        :: else -> break
        od;
        store(P, AWAITS + P, 0, RELAXED)
    :: else
    fi;
    word = 0
}

#ifndef FLAGS
#define POSTED(N) ((N) & 1)
#define TAKEN(N)  (1 - ((N) & 1))
#else /* a post is a flag, which the origin clears */
#define POSTED(N) 1
#define TAKEN(N)  0
#endif

inline expose(P)
{
    i = 0;
    do
    :: i < ORIGINS && i != P ->
        store(P, DATA + pair(i, P), 0, RELAXED);
        signal(P, POSTS + pair(i, P), POSTED(n), i);
        i++
    :: i < ORIGINS && i == P -> i++
    :: else -> break
    od;
    i = 0
}

/* Of one target: an operation waits for the post, and MPI_Win_complete where there was none. */
inline access(P, T)
{
    used = (P + T + n) & 1; /* every other round has no operation */
#ifdef NO_WAIT
    if
    :: used ->
#endif
        await(P, POSTS + pair(P, T), TAKEN(n), T);
#ifdef NO_WAIT
    :: else
    fi;
#endif
    if
    :: used -> store(P, DATA + pair(P, T), n, RELAXED)
    :: else
    fi;
    wrote[pair(P, T)] = used;
    signal(P, COMPLETES + pair(P, T), n & 1, T);
#ifdef FLAGS
    store(P, POSTS + pair(P, T), 0, RELAXED);
#endif
    used = 0
}

/* Between the complete and the next post the origin cannot change what it has written. */
inline end_exposure(P)
{
    i = 0;
    do
    :: i < ORIGINS && i != P ->
        await(P, COMPLETES + pair(i, P), 1 - (n & 1), i);
        load(P, DATA + pair(i, P), word);
        assert(word == (wrote[pair(i, P)] -> n : 0));
        word = 0;
        i++
    :: i < ORIGINS && i == P -> i++
    :: else -> break
    od;
    i = 0
}

proctype process(byte me)
{
    byte n, word, i, k;
    bit used;

    do
    :: n < ROUNDS ->
        n++;
        if
        :: me >= FIRST_TARGET -> expose(me)
        :: else
        fi;
        if
        :: me < ORIGINS ->
            i = FIRST_TARGET;
            do
            :: i < PROCS && i != me -> access(me, i); i++
            :: i < PROCS && i == me -> i++
            :: else -> break
            od;
            i = 0
        :: else
        fi;
        if
        :: me >= FIRST_TARGET -> end_exposure(me)
        :: else
        fi
    :: else -> break
    od;
    over++
}

init
{
    byte i;

    atomic {
        do
        :: i < PROCS -> run process(i); i++
        :: else -> break
        od;
        i = 0
    }
    timeout; /* nothing can move */
    do
    :: i < PROCS ->
        assert(!(at[i] && mem[at[i] - 1] != taken[i]));
        i++
    :: else -> break
    od;
    assert(over == PROCS)
}
