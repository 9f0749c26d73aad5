/* fifo.pml — each message of each writer is read once and in its order, though a writer may die at
 * any moment, and writers that found no cell are woken: shm_fifo_claim(), shm_fifo_publish(),
 * shm_fifo_next(), shm_fifo_release() and shm_fifo_wake_writers() of src/devices/shm/fifo.c,
 * claim_cell() of tx.c, over sleep_until_woken() of src/adi3/progress/sleep.c.
 *
 * Two writers and a reader. The second writer may die anywhere. A death is the only thing that the
 * reader finds by looking twice a second: its tick exists here only after a death. */
#ifndef CELLS
#define CELLS 1
#endif
#define PROCS 3
#define CLAIM  0 /* locations: the cells' claim words, ... */
#define ENTRY  CELLS /* ... what is in them, ... */
#define TAIL   (2 * CELLS)
#define WRITER_WAITS (2 * CELLS + 1)
#define ASLEEP (2 * CELLS + 2) /* ... and a word for each process */
#define LOCS   (ASLEEP + PROCS)
#define DEPTH  3
#include "memory.h"

#define READER 2
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef MESSAGES
#define MESSAGES(me) (2 - (me)) /* of each writer */
#endif

#define FREE    0
#define CLAIMED 1
#define FILLED  2
#define claim_word(lap, state, writer) ((lap) * 16 + (state) * 4 + (writer))
#define lap_of(claim)   ((claim) / 16)
#define state_of(claim) ((claim) / 4 % 4)
#define writer_of(claim) ((claim) % 4)

#ifdef RELAXED_PUBLISH
#define PUBLISH RELAXED
#else
#define PUBLISH RELEASE
#endif

bit waits[PROCS];
bit dead;
byte sent[2], got[2];

#if defined(FENCES)
#define sender_fence(P) fence(P)
#else
#define sender_fence(P) skip
#endif

inline wake(P, WHOM)
{
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

/* The kernel compares the word itself. */
inline go_to_sleep(P)
{
    atomic {
        fence(P);
        waits[P] = mem[ASLEEP + P]
    }
}

inline wake_up(P)
{
    exchange(P, ASLEEP + P, 0, word);
    word = 0
}

/* Claims a cell: done says whether there was one, cell which. */
inline claim_cell(P)
{
    load(P, TAIL, at);
    done = 0;
    do
    :: d_step {
            cell = at % CELLS;
            lap = at / CELLS
        }
        load(P, CLAIM + cell, word);
        if
        :: lap_of(word) < lap -> break /* full */
        :: else
        fi;
        if
        :: word == claim_word(lap, FREE, 0) ->
            compare_exchange(P, CLAIM + cell, word, claim_word(lap, CLAIMED, P + 1), done)
        :: else
        fi;
        if
        :: done -> break
        :: else -> at++
        fi
    od;
    word = 0;
    lap = 0;
    atomic {
        fence(P);
        if
        :: done && mem[TAIL] <= at -> mem[TAIL] = at + 1 /* no more than a hint */
        :: else
        fi;
        at = 0
    }
}

inline may_die()
{
    if
    :: atomic { me == 1 && DEATHS -> fence(me); dead = 1; goto over }
    :: skip
    fi
}

/* One attempt to send. */
inline push()
{
    claim_cell(me);
    if
    :: !done ->
#ifndef NO_WAITS_FLAG
        load(me, WRITER_WAITS, word);
        if
        :: !word -> store(me, WRITER_WAITS, 1, RELEASE)
        :: else
        fi;
        word = 0;
#ifndef NO_LOOK_AFTER_FLAG
        fence(me); /* the claim that follows is sequentially consistent */
        claim_cell(me)
#endif
#endif
    :: else
    fi;
    if
    :: done ->
        may_die();
        store(me, ENTRY + cell, 10 * me + i + 1, RELAXED);
        load(me, CLAIM + cell, word);
        atomic {
            store(me, CLAIM + cell, word + 4, PUBLISH);
            i++;
            sent[me] = i
        }
        word = 0;
        may_die();
        sender_fence(me);
        wake(me, READER)
    :: else
    fi;
    cell = 0
}

proctype writer(byte me)
{
    byte i, at, cell, lap, word, k;
    bit done;

again:
    if
    :: i == MESSAGES(me) -> goto over
    :: else
    fi;
    push();
    if
    :: done -> done = 0; goto again
    :: else
    fi;
    raise_flag(me);
#ifndef NO_SECOND_LOOK
    push();
    if
    :: done -> done = 0; store(me, ASLEEP + me, 0, RELAXED); goto again
    :: else
    fi;
#endif
    go_to_sleep(me);
    !waits[me];
    wake_up(me);
    goto again;
over:
    skip
}

/* Looks at the next cell; moved says whether it was read or passed over. */
inline poll()
{
    moved = 0;
    cell = head % CELLS;
    load(READER, CLAIM + cell, claim);
    if
    :: state_of(claim) == FILLED ->
        load(READER, ENTRY + cell, word);
        assert(word == 10 * (writer_of(claim) - 1) + got[writer_of(claim) - 1] + 1);
        got[writer_of(claim) - 1]++;
        word = 0;
        moved = 1
#ifndef NOT_PASSED_OVER
    :: state_of(claim) == CLAIMED && writer_of(claim) == 2 && dead ->
#ifndef NO_SECOND_READ
        load(READER, CLAIM + cell, claim); /* it may have published just before it died */
#endif
        moved = state_of(claim) == CLAIMED
#endif
    :: else
    fi;
    claim = 0;
    if
    :: moved ->
        store(READER, CLAIM + cell, claim_word(head / CELLS + 1, FREE, 0), RELEASE);
        head++;
#ifndef NO_FREE_FENCE
        fence(READER);
#else
        sender_fence(READER);
#endif
        if
        :: state_of(mem[CLAIM + head % CELLS]) == FILLED -> skip /* first it reads that one */
        :: load(READER, WRITER_WAITS, word)
        fi;
        if
        :: word ->
            store(READER, WRITER_WAITS, 0, RELAXED);
#ifndef NO_CLEAR_FENCE
            sender_fence(READER);
#endif
            wake(READER, 0);
#ifndef WAKE_ONE
            wake(READER, 1)
#endif
        :: else
        fi;
        word = 0
    :: else
    fi;
    cell = 0
}

proctype reader()
{
    byte head, cell, claim, word, ticks, k;
    bit moved;

again:
    poll();
    if
    :: moved -> goto again
    :: else
    fi;
    raise_flag(READER);
#ifndef NO_SECOND_LOOK
    poll();
    if
    :: moved -> store(READER, ASLEEP + READER, 0, RELAXED); goto again
    :: else
    fi;
#endif
    go_to_sleep(READER);
    if
    :: !waits[READER]
    :: dead && ticks < 2 -> ticks++; waits[READER] = 0
    fi;
    wake_up(READER);
    goto again
}

init
{
    atomic {
        run writer(0);
        run writer(1);
        run reader()
    }
    timeout;
    assert(sent[0] == MESSAGES(0) && got[0] == sent[0]);
    assert((dead || sent[1] == MESSAGES(1)) && got[1] == sent[1])
}
