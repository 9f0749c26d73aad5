/* ring.pml — the reader of a ring takes entries only when they are whole, in their order, and
 * never what an earlier lap has left: shm_ring_publish() of src/devices/shm/shm.h,
 * shm_ring_room() and shm_ring_poll() of src/devices/shm/ring.c.
 *
 * Entries of one or two lines and the wrap marker, over more than two laps. Each line has a word
 * and data; the second line of an entry has data where its word would be. Both sides wait by
 * looking again and again: their sleep is in credit.pml and sleep.pml. */
#define LINES   6
#define LOT     2 /* lines read before the reader tells */
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

/* Words: what they say of the entry with this number. Data is above all of them. */
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

byte size[ENTRIES]; /* lines of each entry, as the writer chose */
byte taken;


/* Waits until there is room for N lines. */
inline room_for(N)
{
    do
    :: room >= N -> break
    :: else ->
        mem[CONSUMED] != seen;
        load(WRITER, CONSUMED, new);
        room = room + new - seen;
        seen = new
    od
}

proctype writer()
{
    byte e, n, at, next, room = LINES - GAP, seen, new, k;

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
            room_for(LINES - at + n);
            store(WRITER, WORD + 0, 0, RELAXED);
            store(WRITER, WORD + at, WRAP(e), PUBLISH);
            room = room - (LINES - at);
            at = 0;
            store(WRITER, WORD + 1, 0, RELAXED)
        :: else -> room_for(n)
        fi;
        store(WRITER, DATA + at, PAYLOAD(e), RELAXED);
        next = (at + n == LINES -> 0 : at + n);
        if
        :: n == 2 ->
            store(WRITER, WORD + at + 1, PAYLOAD(e), RELAXED);
#ifndef NO_EARLY_CLEAR
            store(WRITER, WORD + next, 0, RELAXED)
#endif
        :: else
        fi;
        store(WRITER, WORD + at, ENTRY(e, n), PUBLISH);
#ifndef CLEAR_ONE_LINE
        store(WRITER, WORD + (next + 1 == LINES -> 0 : next + 1), 0, RELAXED);
#endif
        at = next;
        room = room - n;
        e++
    od
}

inline tell()
{
    if
    :: consumed - told >= LOT ->
        told = consumed;
        store(READER, CONSUMED, consumed, RELEASE)
    :: else
    fi
}

proctype reader()
{
    byte e, at, word, data, consumed, told, k;

    do
    :: e == ENTRIES -> break
    :: else ->
        mem[WORD + at] != 0;
        load(READER, WORD + at, word);
        if
        :: word == WRAP(e) ->
            consumed = consumed + LINES - at;
            at = 0;
            tell()
        :: else ->
            assert(word == ENTRY(e, size[e]));
#ifdef TELL_EARLY
            consumed = consumed + size[e];
            tell();
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
#ifndef TELL_EARLY
            consumed = consumed + size[e];
            tell();
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
