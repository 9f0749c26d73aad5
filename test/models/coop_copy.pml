/* coop_copy.pml — receiver and sender share the pieces of large messages: begin(), read_part(),
 * claim() and help() of src/devices/shm/coop_copy.c. Each piece of each job is copied once, by
 * fields that are those of the job though they are read before it is claimed, and a job is over
 * when all its pieces are. */
#define PROCS 2
#define LOCS  4
#define DEPTH 4
#include "memory.h"

#define RECEIVER 0
#define SENDER   1
#define CLAIM    0 /* number of the job, its pieces, those claimed: two bits each of the counts */
#define FIELDS   1 /* addresses and lengths: all that is the number of the job they belong to */
#define HELPED   2 /* what has come by the ring */
#define PIECES   3 /* with -DPIECES_APART the count has a place of its own, not in the word */

#define JOBS 3
#define MOST 3

byte job;          /* that is being copied */
byte copied[MOST]; /* how often each piece of it was */
bool over;

inline open_job()
{
    store(RECEIVER, FIELDS, job, RELAXED);
#ifdef PIECES_APART
    store(RECEIVER, PIECES, n, RELAXED);
#endif
    store(RECEIVER, HELPED, 0, RELAXED);
#ifdef PIECES_APART
    store(RECEIVER, CLAIM, job * 16, RELEASE);
#elif defined(RELAXED_OPEN)
    store(RECEIVER, CLAIM, job * 16 + n * 4, RELAXED);
#else
    store(RECEIVER, CLAIM, job * 16 + n * 4, RELEASE);
#endif
    fence(RECEIVER)
}

/* Sets i to the piece, MOST when all are claimed; or tries again. */
inline claim(P)
{
    do
    :: load(P, CLAIM, word);
       pieces = (word / 4) % 4;
#ifdef PIECES_APART
       load(P, PIECES, pieces);
#endif
       if
       :: word % 4 < pieces ->
           load(P, FIELDS, fields);
#ifdef NO_NUMBER /* any word of so many claimed pieces will do */
           atomic {
               fence(P);
               ok = mem[CLAIM] % 4 == word % 4;
               if
               :: ok -> mem[CLAIM] = mem[CLAIM] + 1
               :: else
               fi
           };
#else
           compare_exchange(P, CLAIM, word, word + 1, ok);
#endif
           i = word % 4
       :: else -> ok = 1; i = MOST
       fi;
       if
       :: ok -> break
       :: else
       fi
    od;
    word = 0;
    pieces = 0;
    ok = 0
}

inline copy(P)
{
    assert(fields == job);
    fields = 0;
    assert(copied[i] == 0);
    copied[i]++
}

proctype receiver()
{
    byte n, own, i, word, fields, pieces, k;
    bit ok;

    for (job : 1 .. JOBS) {
        if
        :: n = 1
        :: n = 2
        :: n = 3
        fi;
        own = 0;
        open_job();
        do
        :: claim(RECEIVER);
           if
           :: i < MOST -> copy(RECEIVER); own++
           :: else
           fi;
           i = 0;
           load(RECEIVER, HELPED, word);
           if
           :: own + word >= n -> break
           :: else
           fi
        od;
        word = 0;
        for (k : 0 .. n - 1) {
            assert(copied[k] == 1);
            copied[k] = 0
        }
        k = 0
    }
    over = true;
#ifdef NEVER_OVER
    assert(false) /* all jobs come to an end */
#endif
}

proctype sender()
{
    byte i, word, fields, pieces, k;
    bit ok;

    do
    :: claim(SENDER);
       if
       :: i < MOST ->
           copy(SENDER);
           atomic {
               fence(SENDER);
               mem[HELPED] = mem[HELPED] + 1
           }
       :: else
       fi;
       i = 0
    :: over -> break
    od
}

init { atomic { run receiver(); run sender() } }
