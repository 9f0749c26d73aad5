/* memory.h — weakly ordered memory. spin's own memory is sequentially consistent and hides the
 * errors that these models look for.
 *
 * Each process has a buffer of stores that others do not see yet. They reach memory at any later
 * time: with -DTSO in their order, as on x86. Without it the order is free, as on ARM, except that
 * stores to one location keep theirs and a release store follows all stores before it. Loads are
 * executed in order: where the code relies on that for loads of different lines, it has acquire
 * loads.
 *
 * The model defines PROCS, LOCS, DEPTH before it includes this. */

#ifndef MEMORY_H
#define MEMORY_H

typedef buffered {
    byte n;
    byte at[DEPTH];
    byte value[DEPTH];
    bit release[DEPTH];
};

byte mem[LOCS];
buffered buf[PROCS];

#define RELAXED 0
#define RELEASE 1

inline store(P, WHERE, WHAT, HOW)
{
    atomic {
        buf[P].n < DEPTH;
        d_step {
            buf[P].at[buf[P].n] = WHERE;
            buf[P].value[buf[P].n] = WHAT;
            buf[P].release[buf[P].n] = HOW;
            buf[P].n++;
        }
    }
}

/* A process sees its own stores at once. */
inline load(P, WHERE, TO)
{
    d_step {
        TO = mem[WHERE];
        k = 0;
        do
        :: k < buf[P].n ->
            if
            :: buf[P].at[k] == WHERE -> TO = buf[P].value[k]
            :: else
            fi;
            k++
        :: else -> break
        od;
        k = 0
    }
}

inline fence(P)
{
    buf[P].n == 0
}

/* membarrier: the caller fences; after that, there is a moment for each other process at which all
 * its earlier stores are in memory. */
inline fence_all(P)
{
    fence(P);
    atomic {
        k = 0;
        do
        :: k < PROCS -> buf[k].n == 0; k++
        :: else -> break
        od;
        k = 0
    }
}

inline exchange(P, WHERE, WHAT, TO)
{
    atomic {
        fence(P);
        TO = mem[WHERE];
        mem[WHERE] = WHAT
    }
}

inline compare_exchange(P, WHERE, OLD, NEW, OK)
{
    atomic {
        fence(P);
        OK = mem[WHERE] == OLD;
        if
        :: OK -> mem[WHERE] = NEW
        :: else
        fi
    }
}

/* A processor for each process: moves any store that may go next to memory. */
active [PROCS] proctype processor()
{
    byte i, j;
    bit may;

    do
    :: atomic {
        buf[_pid].n > 0 ->
#ifndef TSO
        do
        :: i + 1 < buf[_pid].n -> i++
        :: break
        od;
#endif
        d_step {
            may = !(buf[_pid].release[i] && i > 0);
            j = 0;
            do
            :: j < i ->
                may = may && buf[_pid].at[j] != buf[_pid].at[i];
                j++
            :: else -> break
            od;
            if
            :: may ->
                mem[buf[_pid].at[i]] = buf[_pid].value[i];
                buf[_pid].n--;
                j = i;
                do
                :: j < buf[_pid].n ->
                    buf[_pid].at[j] = buf[_pid].at[j + 1];
                    buf[_pid].value[j] = buf[_pid].value[j + 1];
                    buf[_pid].release[j] = buf[_pid].release[j + 1];
                    j++
                :: else -> break
                od;
                buf[_pid].at[j] = 0;
                buf[_pid].value[j] = 0;
                buf[_pid].release[j] = 0
            :: else
            fi;
            i = 0;
            j = 0;
            may = 0
        }
    }
    od
}

#endif /* MEMORY_H */
