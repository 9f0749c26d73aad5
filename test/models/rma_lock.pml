/* rma_lock.pml — the lock of a window: readers and writers exclude each other in the order of their
 * tickets, readers that join pass writers that wait, and each that sleeps is woken:
 * rma_lock_take(), _served() and _release() of src/adi3/rma/shared/lock.c, wait_long() of
 * messages/lock_wait.c, over sleep_until_woken() of src/adi3/progress/sleep.c.
 *
 * Each process takes the lock as many times as it likes to, up to TURNS, in any of three ways, and
 * may keep it for ever. With one turn all take it, a writer among them, since only a writer lets
 * others wait for long; and their kinds are in one order only: the processes are alike. A process that sleeps though it is its turn, when no other can move, has lost
 * its wake-up. */
#ifndef PROCS
#define PROCS 3
#endif
#define USERS  0 /* locations: the words of the lock, ... */
#define WRITE  1
#define READ   2
#define INSIDE 3
#define WAITS  4 /* ... and of each process: what it waits for, and whether it sleeps */
#define ASLEEP (WAITS + PROCS)
#define LOCS   (ASLEEP + PROCS)
#define DEPTH  3
#include "memory.h"

#ifndef TURNS
#define TURNS 1
#endif

#define READS  0
#define WRITES 1
#define JOINS  2

#define WRITER  64 /* in INSIDE */
#define JOINERS 32

#define waits_for(ticket, kind) (kind == JOINS -> 255 : (ticket) * 2 + (kind) + 1)

bit sleeps[PROCS];        /* in the kernel */
byte over, stays;         /* processes that have ended, and that keep the lock */
byte asks[PROCS];         /* the kind of lock that each sleeps for, and 1; with this ticket: */
byte at[PROCS];
byte readers, writers;    /* that have the lock */
bit has_ticket[PROCS * TURNS]; /* of a writer that has not had its turn yet */

inline add(P, WHERE, WHAT, TO)
{
    atomic {
        fence(P);
        TO = mem[WHERE];
        mem[WHERE] = mem[WHERE] + WHAT
    }
}

#if defined(FENCES) && !defined(NO_RELEASE_FENCE)
#define order(P) fence(P)
#else
#define order(P) skip
#endif

/* Wakes those that sleep and whose turn it is now. */
inline wake_next(P)
{
    load(P, READ, r);
    load(P, WRITE, v);
    i = 0;
    do
    :: i < PROCS ->
        load(P, WAITS + i, word);
        if
        :: i != P && word && (word == waits_for(r, READS) || word == waits_for(v, WRITES)
                              || word == 255) ->
            load(P, ASLEEP + i, word);
            if
            :: word ->
                exchange(P, ASLEEP + i, 0, word);
                if
                :: word -> sleeps[i] = 0
                :: else
                fi
            :: else
            fi
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    r = 0;
    v = 0;
    word = 0
}

/* What a process sees that has the lock, with what the model alone knows. */
inline entered(P)
{
    d_step {
        served = 1;
        if
        :: kind == WRITES ->
            assert(readers == 0 && writers == 0);
            writers++;
            has_ticket[ticket] = 0
        :: else ->
            assert(writers == 0);
            readers++;
            i = 0;
            do
            :: kind == READS && i < ticket ->
                assert(!has_ticket[i]); /* in the order of arrival */
                i++
            :: else -> break
            od;
            i = 0
        fi
    }
}

/* A writer that looks takes the place inside, and readers make themselves known there. */
inline look(P)
{
    if
    :: kind == READS ->
        load(P, READ, word);
        if
#ifndef UNFAIR
        :: word == ticket ->
#else
        :: word == ticket || (mem[INSIDE] != WRITER && mem[INSIDE] != WRITER + JOINERS) ->
#endif
            entered(P);
#ifndef NO_PASS
            store(P, READ, ticket + 1, RELEASE);
#endif
            order(P);
#ifndef PASS_IN_SILENCE
            load(P, USERS, word);
            if
            :: word != ticket + 1 -> wake_next(P)
            :: else
            fi
#endif
        :: else
        fi
    :: kind == WRITES ->
        load(P, WRITE, word);
        if
        :: word == ticket ->
#ifndef NO_LOOK_INSIDE
            compare_exchange(P, INSIDE, 0, WRITER, won);
#else
            won = 1;
#endif
            if
            :: won -> entered(P)
            :: else
            fi;
            won = 0
        :: else
        fi
    :: else ->
        atomic { /* a loop of compare_exchange */
            fence(P);
            if
            :: mem[INSIDE] < JOINERS -> mem[INSIDE] = mem[INSIDE] + 1; entered(P)
            :: mem[INSIDE] == WRITER ->
#ifndef NO_JOINERS
                mem[INSIDE] = WRITER + JOINERS
#endif
            :: else
            fi
        }
    fi;
    word = 0
}

inline give_up(P)
{
    if
    :: kind == READS ->
        readers--;
        add(P, WRITE, 1, got);
        order(P);
        load(P, READ, word);
        if
        :: word == got + 1 ->
            load(P, USERS, word);
            if
            :: word != got + 1 -> wake_next(P)
            :: else
            fi
        :: else
        fi
    :: kind == WRITES ->
        writers--;
        exchange(P, INSIDE, 0, got);
        store(P, READ, ticket + 1, RELEASE);
#ifndef PLAIN_WRITE
        add(P, WRITE, 1, word);
#else
        store(P, WRITE, ticket + 1, RELEASE);
#endif
        order(P);
        load(P, USERS, word);
        if
        :: got == WRITER + JOINERS || word != ticket + 1 -> wake_next(P)
        :: else
        fi
    :: else ->
        readers--;
        atomic {
            fence(P);
            mem[INSIDE] = mem[INSIDE] - 1;
            got = mem[INSIDE]
        }
        order(P);
#ifndef JOIN_IN_SILENCE
        if
        :: got == 0 -> wake_next(P)
        :: else
        fi
#endif
    fi;
    got = 0;
    word = 0
}

proctype user(byte me; byte kind)
{
    byte n, ticket, word, got, i, k, r, v;
    bit served, won;

again:
    if
    :: n == TURNS -> goto end
    :: else
    fi;
#if TURNS > 1
    if
    :: kind = READS
    :: kind = WRITES
    :: kind = JOINS
    :: goto end
    fi;
#endif
    n++;
    if
    :: kind != JOINS ->
        atomic {
            add(me, USERS, 1, ticket);
            has_ticket[ticket] = kind == WRITES
        }
    :: else
    fi;
    look(me);
    if
    :: served -> goto have
    :: else
    fi;
#ifndef WAITS_LATE
    store(me, WAITS + me, waits_for(ticket, kind), RELAXED);
#endif
sleep:
    store(me, ASLEEP + me, 1, RELAXED);
#if defined(FENCES) || defined(NO_MEMBARRIER)
    fence(me);
#else
    fence_all(me);
#endif
#ifndef NO_SECOND_LOOK
    look(me);
#endif
#ifdef WAITS_LATE
    store(me, WAITS + me, waits_for(ticket, kind), RELAXED);
#endif
    if
    :: served -> store(me, ASLEEP + me, 0, RELAXED); goto done
    :: else
    fi;
    atomic { /* the kernel compares the word itself */
        fence(me);
        sleeps[me] = mem[ASLEEP + me];
        asks[me] = kind + 1;
        at[me] = ticket
    }
    atomic {
        !sleeps[me];
        asks[me] = 0;
        at[me] = 0
    }
    exchange(me, ASLEEP + me, 0, word);
    word = 0;
    look(me);
    if
    :: !served -> goto sleep
    :: else
    fi;
done:
    store(me, WAITS + me, 0, RELAXED);
have:
    served = 0;
    if
    :: give_up(me)
    :: stays++; false /* it keeps the lock */
    fi;
    kind = 0;
    ticket = 0;
    goto again;
end:
    over++
}

init
{
    byte i, kind;

    atomic {
        do
        :: i < PROCS ->
#if TURNS == 1
            do
            :: break
            :: i > 0 && kind < JOINS -> kind++
            od;
#endif
            run user(i, (i == 0 -> WRITES : kind));
            i++
        :: else -> break
        od;
        i = 0;
        kind = 0
    }
    timeout; /* nothing can move */
    assert(stays || over == PROCS);
    do
    :: i < PROCS ->
        assert(!(asks[i] == READS + 1 && mem[READ] == at[i]));
        assert(!(asks[i] == WRITES + 1 && mem[WRITE] == at[i] && mem[INSIDE] == 0));
        assert(!(asks[i] == JOINS + 1 && mem[INSIDE] < JOINERS));
        i++
    :: else -> break
    od
}
