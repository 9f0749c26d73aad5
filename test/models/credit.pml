/* credit.pml — a writer that has no credit in a ring, and a reader that finds no entry, are woken:
 * shm_ring_has_credit() and shm_ring_return_credit() of src/devices/shm/ring.c, shm_wake() of
 * peer.c, shm_flush() of tx.c, over sleep_until_woken() of
 * src/adi3/progress/sleep.c.
 *
 * Of the ring there is only how many lines are written and how many consumed; ring.pml has the
 * rest. */
#define PROCS 2
#define LOCS  5
#define DEPTH 3
#include "memory.h"

#define WRITER   0
#define READER   1
#define ASLEEP   0 /* locations: two words, by process; ... */
#define WRITTEN  2
#define CONSUMED 3
#define WRITER_WAITS 4

#define CREDIT  4 /* lines of the ring */
#define BATCH   2 /* lines read before the reader returns credit */
#define ENTRIES 5 /* of one or two lines */

bit waits[PROCS];
byte left = ENTRIES; /* to be written */
byte written, returned;  /* as the writer and the reader have it */

#if defined(FENCES) && !defined(NO_SENDER_FENCE)
#define sender_fence(P) fence(P)
#else
#define sender_fence(P) skip
#endif

inline wake(P, WHOM)
{
    sender_fence(P);
    load(P, ASLEEP + WHOM, word);
    if
    :: word ->
        exchange(P, ASLEEP + WHOM, 0, word);
        if
        :: word -> waits[WHOM] = 0
        :: else
        fi
    :: else
    fi;
    word = 0
}

inline raise_flag(P)
{
    store(P, ASLEEP + P, 1, RELAXED);
#if defined(FENCES) || defined(NO_MEMBARRIER)
    fence(P)
#else
    fence_all(P)
#endif
}

inline futex_wait(P)
{
    fence(P);
    waits[P] = mem[ASLEEP + P];
    !waits[P];
    exchange(P, ASLEEP + P, 0, word);
    word = 0
}

inline look()
{
    fence(WRITER); /* a sequentially consistent load after such a store */
    load(WRITER, CONSUMED, seen)
}

/* Writes the next entry if there is credit for it. */
inline push(moved)
{
    moved = 0;
    look();
    if
    :: written + n - seen > CREDIT ->
#ifndef NO_WAITS_FLAG
        load(WRITER, WRITER_WAITS, word);
        if
        :: !word -> store(WRITER, WRITER_WAITS, 1, RELEASE)
        :: else
        fi;
        word = 0;
#endif
#ifndef NO_LOOK_AFTER_FLAG
        look()
#endif
    :: else
    fi;
    if
    :: written + n - seen <= CREDIT ->
        written = written + n;
        store(WRITER, WRITTEN, written, RELEASE);
        wake(WRITER, READER);
        left--;
        moved = 1
    :: else
    fi;
    seen = 0
}

proctype writer()
{
    byte n, seen, word, k;
    bit moved;

again:
    if
    :: left == 0 -> goto over
    :: else ->
        if
        :: n = 1
        :: n = 2
        fi
    fi;
retry:
    push(moved);
    if
    :: moved -> goto again
    :: else
    fi;
    raise_flag(WRITER);
#ifndef NO_SECOND_LOOK
    push(moved);
    if
    :: moved -> store(WRITER, ASLEEP + WRITER, 0, RELAXED); goto again
    :: else
    fi;
#endif
    futex_wait(WRITER);
    goto retry;
over:
    skip
}

inline poll(moved)
{
    moved = 0;
    load(READER, WRITTEN, word);
    if
    :: word > consumed -> consumed++; moved = 1
    :: else
    fi;
    word = 0;
    if
    :: consumed - returned >= BATCH ->
        returned = consumed;
        store(READER, CONSUMED, consumed, RELEASE);
#ifndef NO_RETURN_FENCE
        fence(READER); /* both are sequentially consistent */
#endif
        load(READER, WRITER_WAITS, word);
        if
        :: word ->
#ifndef FLAG_CLEARED_LATE
            store(READER, WRITER_WAITS, 0, RELAXED);
            wake(READER, WRITER)
#else
            wake(READER, WRITER);
            store(READER, WRITER_WAITS, 0, RELAXED)
#endif
        :: else
        fi;
        word = 0
    :: else
    fi
}

proctype reader()
{
    byte consumed, word, k;
    bit moved;

again:
    if
    :: left == 0 && consumed == written -> goto over
    :: else
    fi;
    poll(moved);
    if
    :: moved -> goto again
    :: else
    fi;
    raise_flag(READER);
#ifndef NO_SECOND_LOOK
    poll(moved);
    if
    :: moved -> store(READER, ASLEEP + READER, 0, RELAXED); goto again
    :: else
    fi;
#endif
    futex_wait(READER);
    goto again;
over:
    skip
}

init
{
    atomic {
        run writer();
        run reader()
    }
    timeout;
    assert(left == 0 && returned + BATCH > written)
}
