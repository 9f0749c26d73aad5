/* ring.pml — the reader of a ring takes entries only when they are whole, in their order, and
 * never what an earlier lap has left: shm_ring_publish() of src/devices/shm/ring.h,
 * shm_ring_reserve() of ring.c and poll_ring() of rx.c.
 *
 * Entries of one or two lines and the wrap marker, over more than two laps. Each line has a word
 * and data; the second line of an entry has data where its word would be. Both sides wait by
 * looking again and again: how they sleep is in credit.pml and sleep.pml. */
#define LINES   6
#define BATCH   2 /* lines read before the reader returns credit */
#define ENTRIES 7

#define WORD     0           /* locations: the words, ... */
#define DATA     LINES       /* ... the data behind them, ... */
#define CONSUMED (2 * LINES) /* ... and lines consumed */

#define PROCS 2
#define LOCS  (2 * LINES + 1)
#define DEPTH 5
#include "memory.h"

#define WRITER 0
#define READER 1

/* The words of the entry with this number. The values of data are above all words. */
#define WRAP(e)      (1 + 3 * (e))
#define ENTRY(e, n)  (1 + 3 * (e) + (n))
#define PAYLOAD(e)   (100 + (e))

#ifdef RELAXED_PUBLISH
#define PUBLISH RELAXED
#else
#define PUBLISH RELEASE
#endif
#ifdef NO_GAP
#define GAP 0
#else
#define GAP 2
#endif
#ifdef CLEAR_WITHOUT_CREDIT
#define CLEAR_CREDIT 0
#else
#define CLEAR_CREDIT 2
#endif

#define NONE LINES /* no word is clear in advance */

byte size[ENTRIES]; /* lines of each entry, as the writer chose */
byte taken;

/* Waits until there is credit for N lines. */
inline credit_for(N)
{
    do
    :: credit >= N -> break
    :: else ->
        mem[CONSUMED] != seen;
        load(WRITER, CONSUMED, new);
        credit = credit + new - seen;
#ifndef KEEP_CLEARED
        cleared = NONE;
#endif
        seen = new
    od
}

proctype writer()
{
    byte e, n, at, next, credit = LINES - GAP, seen, new, cleared = NONE, k;

    do
    :: e == ENTRIES -> break
    :: else ->
        if
        :: n = 1
        :: n = 2
        fi;
        size[e] = n;
        if
        :: at + n > LINES ->
            credit_for(LINES - at + n);
            store(WRITER, WORD + 0, 0, RELAXED);
            store(WRITER, WORD + at, WRAP(e), PUBLISH);
            credit = credit - (LINES - at);
            at = 0;
            store(WRITER, WORD + 1, 0, RELAXED)
        :: else -> credit_for(n)
        fi;
        store(WRITER, DATA + at, PAYLOAD(e), RELAXED);
        next = (at + n == LINES -> 0 : at + n);
        if
        :: n == 2 -> store(WRITER, WORD + at + 1, PAYLOAD(e), RELAXED)
        :: else
        fi;
#ifndef NO_EARLY_CLEAR
        if
        :: n == 2 && next != cleared -> store(WRITER, WORD + next, 0, RELAXED)
        :: else
        fi;
#endif
        store(WRITER, WORD + at, ENTRY(e, n), PUBLISH);
#ifndef CLEAR_ONE_LINE
        store(WRITER, WORD + (next + 1 == LINES -> 0 : next + 1), 0, RELAXED);
#endif
        at = next;
        credit = credit - n;
        if
        :: n == 2 && credit >= CLEAR_CREDIT && at + 2 < LINES ->
            cleared = at + 2;
            store(WRITER, WORD + cleared, 0, RELAXED)
        :: else
        fi;
        e++
    od
}

inline return_credit()
{
    if
    :: consumed - returned >= BATCH ->
        returned = consumed;
        store(READER, CONSUMED, consumed, RELEASE)
    :: else
    fi
}

proctype reader()
{
    byte e, at, word, data, consumed, returned, k;

    do
    :: e == ENTRIES -> break
    :: else ->
        mem[WORD + at] != 0;
        load(READER, WORD + at, word);
        if
        :: word == WRAP(e) ->
            consumed = consumed + LINES - at;
            at = 0;
            return_credit()
        :: else ->
            assert(word == ENTRY(e, size[e]));
#ifdef RETURN_EARLY
            consumed = consumed + size[e];
            return_credit();
#endif
            load(READER, DATA + at, data);
            assert(data == PAYLOAD(e));
            if
            :: size[e] == 2 ->
                load(READER, WORD + at + 1, data);
                assert(data == PAYLOAD(e))
            :: else
            fi;
            at = (at + size[e] == LINES -> 0 : at + size[e]);
#ifndef RETURN_EARLY
            consumed = consumed + size[e];
            return_credit();
#endif
            e++
        fi;
        word = 0;
        data = 0
    od;
    taken = e
}

init
{
    atomic {
        run writer();
        run reader()
    }
    timeout;
    assert(taken == ENTRIES)
}
