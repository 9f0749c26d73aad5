/* coop_copy.pml — receiver and sender share the chunks of large messages: begin(), claim(),
 * read_chunks() and write_chunks() of src/devices/shm/coop_copy.c.
 *
 * Each chunk of each cooperative copy is copied once. The fields of a copy are read before a chunk
 * of it is claimed; when the claim succeeds they are the fields of that copy. A copy ends when all
 * its chunks are copied. */
#define PROCS 2
#define LOCS  4
#define DEPTH 4
#include "memory.h"

#define RECEIVER 0
#define SENDER   1
#define CLAIM    0 /* number of the copy, its chunks, those claimed: two bits for each count */
#define FIELDS   1 /* addresses and lengths: here the number of the copy that they belong to */
#define ARRIVED  2 /* chunks that have come by the ring */
#define CHUNKS   3 /* with -DCHUNKS_APART the count of chunks is not in the word */

#define COOPS 3
#define MOST  3

byte coop;         /* number of the copy under way */
byte copied[MOST]; /* how often each chunk of it was copied */
bool over;

inline open_coop()
{
    store(RECEIVER, FIELDS, coop, RELAXED);
#ifdef CHUNKS_APART
    store(RECEIVER, CHUNKS, n, RELAXED);
#endif
    store(RECEIVER, ARRIVED, 0, RELAXED);
#ifdef CHUNKS_APART
    store(RECEIVER, CLAIM, coop * 16, RELEASE);
#elif defined(RELAXED_OPEN)
    store(RECEIVER, CLAIM, coop * 16 + n * 4, RELAXED);
#else
    store(RECEIVER, CLAIM, coop * 16 + n * 4, RELEASE);
#endif
    fence(RECEIVER)
}

/* Sets i to the claimed chunk, or to MOST when all are claimed. */
inline claim(P)
{
    do
    :: load(P, CLAIM, word);
       chunks = (word / 4) % 4;
#ifdef CHUNKS_APART
       load(P, CHUNKS, chunks);
#endif
       if
       :: word % 4 < chunks ->
           load(P, FIELDS, fields);
#ifdef NO_NUMBER /* compares the count of claimed chunks alone */
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
    chunks = 0;
    ok = 0
}

inline copy(P)
{
    assert(fields == coop);
    fields = 0;
    assert(copied[i] == 0);
    copied[i]++
}

proctype receiver()
{
    byte n, own, i, word, fields, chunks, k;
    bit ok;

    for (coop : 1 .. COOPS) {
        if
        :: n = 1
        :: n = 2
        :: n = 3
        fi;
        own = 0;
        open_coop();
        do
        :: claim(RECEIVER);
           if
           :: i < MOST -> copy(RECEIVER); own++
           :: else
           fi;
           i = 0;
           load(RECEIVER, ARRIVED, word);
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
    assert(false) /* reached: all copies end */
#endif
}

proctype sender()
{
    byte i, word, fields, chunks, k;
    bit ok;

    do
    :: claim(SENDER);
       if
       :: i < MOST ->
           copy(SENDER);
           atomic {
               fence(SENDER);
               mem[ARRIVED] = mem[ARRIVED] + 1
           }
       :: else
       fi;
       i = 0
    :: over -> break
    od
}

init { atomic { run receiver(); run sender() } }
