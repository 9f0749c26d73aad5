/* sleep.pml — a sleeper is woken by each message: sleep_until_woken() and sleeper_wake() of
 * src/adi3/progress (sleep.c, wake.c), and what devices do after they have handed something over (shm_wake() of
 * src/devices/shm/peer.c).
 *
 * Two senders write messages, then look at the sleeper's word. The sleeper raises it, orders the
 * memory of all, and looks once more. It sleeps on a futex or, when a device with descriptors has
 * peers, in epoll; which may change from sleep to sleep. There is no half-second tick here: a
 * sleeper that still sleeps when all is sent has lost a wake-up. */
#define PROCS 3
#define LOCS  3
#define DEPTH 3
#include "memory.h"

#define MESSAGES 2
#define ASLEEP   2 /* locations: 0 and 1 are the messages of the senders */
#define ME       2

#define AWAKE    0
#define ON_FUTEX 1
#define IN_EPOLL 2

bit waits[3];   /* in the kernel, on the futex word */
byte datagrams; /* that wait in the sleeper's socket */
byte taken;

proctype sender(byte p)
{
    byte i, how, k;

    do
    :: i < MESSAGES ->
        i++;
        store(p, p, i, RELEASE);
#if defined(FENCES) && !defined(NO_SENDER_FENCE)
        fence(p);
#endif
        load(p, ASLEEP, how);
        if
        :: how != AWAKE ->
            exchange(p, ASLEEP, AWAKE, how);
            if
            :: how == ON_FUTEX -> waits[ME] = 0
            :: how == IN_EPOLL -> datagrams = (datagrams < 2 -> datagrams + 1 : 2)
            :: else
            fi
        :: else
        fi;
        how = 0
    :: else -> break
    od
}

/* One poll of all devices. */
inline work(found)
{
    found = 0;
    load(ME, 0, now);
    if
    :: now > got[0] -> taken = taken + now - got[0]; got[0] = now; found = 1
    :: else
    fi;
    load(ME, 1, now);
    if
    :: now > got[1] -> taken = taken + now - got[1]; got[1] = now; found = 1
    :: else
    fi;
    now = 0
}

proctype sleeper()
{
    byte got[2], now, how, was, k;
    bit found;

again:
    work(found);
    if
    :: taken == 2 * MESSAGES -> goto over
    :: else
    fi;
    if
    :: found -> goto again
    :: else
    fi;
    if
    :: how = ON_FUTEX
    :: how = IN_EPOLL
    fi;
    store(ME, ASLEEP, how, RELAXED);
#if defined(FENCES) || defined(NO_MEMBARRIER)
    fence(ME);
#else
    fence_all(ME);
#endif
#ifndef NO_SECOND_LOOK
    work(found);
    if
    :: found -> store(ME, ASLEEP, AWAKE, RELAXED); goto again
    :: else
    fi;
#endif
    if
    :: how == ON_FUTEX ->
        fence(ME);
        atomic {
#ifndef NO_COMPARE
            waits[ME] = mem[ASLEEP] == how
#else
            waits[ME] = 1
#endif
        }
        !waits[ME]
    :: else ->
        datagrams > 0
    fi;
    exchange(ME, ASLEEP, AWAKE, was);
    was = 0;
    if
    :: how == IN_EPOLL -> datagrams = 0
    :: else
    fi;
    how = 0;
    goto again;
over:
    skip
}

init
{
    atomic {
        run sender(0);
        run sender(1);
        run sleeper()
    }
    timeout;
    assert(taken == 2 * MESSAGES) /* nothing can move: all has arrived */
}
