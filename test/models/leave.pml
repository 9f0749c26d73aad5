/* leave.pml — two processes of two jobs leave each other and meet again: receive_leave(),
 * leave_process() and adi3_comm_leave() of src/adi3/connect/links.c, adi3_job_learn() of introduce.c,
 * mpir_connect() of src/mpi/comm/connect.c, proc_forget() of src/adi3/proc/proc.c.
 *
 * Each process has two threads, which run one at a time, as the lock of the library has it: one
 * lets a communicator go; the other connects again, from the moment when that one leaves, and lets
 * go what it has made. Messages and LEAVE are in one FIFO for each direction. With -DDEATHS process 1
 * may die anywhere; another guest then takes its place in the segment of process 0, connects, and
 * its messages follow in the same FIFO.
 *
 * MEET_EARLY is what the library does not promise: a thread connects while another one of its
 * process is about to leave, and the other process has told LEAVE already. */
#ifndef DEATHS
#define DEATHS 0
#endif
#define ROOM 2 /* packets in a FIFO */

mtype = { DATA, LEAVE };

/* What a process has for its peer; process 0 and each guest are a pair: sides 0 and 1, and after a
 * death 2 and 3. */
typedef side {
    byte links;     /* communicators that span both */
    bit dev, left;  /* the peer has a device here; it has told that nothing follows */
    byte leaving, connecting;
    byte life;      /* how often the peer was forgotten */
    byte secret;    /* 0: none */
};
side s[4];
bit dead;      /* guest 1 */
byte place = 1; /* the guest that has the place in the segment of process 0 */

/* The guest that writes or reads, and the life of the pair in which the packet was sent. */
chan to_host = [ROOM] of { mtype, byte, byte };
chan to_guest[3] = [ROOM] of { mtype, byte, byte };

#define OTHER(S)  ((S) ^ 1)
#define GUEST(S)  ((S) / 2 + 1)
#define IS_GUEST(S) ((S) & 1)
#define GONE(S)   (dead && (S) < 2) /* the peer of this side, or the process itself */

/* Waits for room. What is for a dead process goes nowhere. */
inline send(S, WHAT)
{
    if
    :: IS_GUEST(S) -> to_host ! WHAT, GUEST(S), s[S].life
    :: !IS_GUEST(S) ->
        if
        :: to_guest[GUEST(S)] ! WHAT, GUEST(S), s[S].life
        :: GONE(S)
        fi
    fi
}

/* A packet is of the life of the pair that this side is in, and nothing comes that is refused. */
inline take(S, WHAT, FROM, LIFE)
{
    if
    :: GONE(S)
    :: else ->
        assert(s[S].dev || s[S].links || s[S].connecting || s[S].leaving);
        assert(FROM == GUEST(S) && LIFE == s[S].life);
        s[S].dev = 1;
        if
        :: WHAT == LEAVE -> s[S].left = 1
        :: else
        fi
    fi
}

inline forget(S)
{
    s[S].dev = 0;
    s[S].left = 0;
    s[S].life++;
    s[S].secret = 0
}

proctype host_progress()
{
    mtype what;
    byte from, to, life;

end:
    do
    :: atomic {
            to_host ? what, from, life;
#ifdef NO_GENERATION
            to = 2 * place - 2;
#else
            to = 2 * from - 2;
#endif
            take(to, what, from, life);
            what = 0;
            from = 0;
            to = 0;
            life = 0
        }
    od
}

proctype guest_progress(byte me)
{
    mtype what;
    byte from, life;

end:
    do
    :: atomic {
            to_guest[GUEST(me)] ? what, from, life;
            take(me, what, from, life);
            what = 0;
            from = 0;
            life = 0
        }
    od
}

/* A communicator that is used now and then, and let go. */
typedef exchanges { byte known[2] };
exchanges told[4];
byte hello[4], learned[4], made[4];
bit begun[4]; /* the thread that lets go has dropped the link */
byte over[4]; /* threads that have come to their end */

inline let_go(S, COMM)
{
    do
    :: sends < 1 && s[S].links ->
        atomic {
            s[S].secret == s[OTHER(S)].secret || s[S].dev || GONE(S); /* the device tries again */
            s[S].dev = 1
        }
        send(S, DATA);
        sends++
    :: break
    od;
    told[S].known[COMM] = 1 + s[S].dev; /* the exchange of all members */
    told[OTHER(S)].known[COMM] || GONE(S);
    atomic {
        s[S].leaving++;
#ifndef NO_EXCHANGE
        if
        :: told[OTHER(S)].known[COMM] == 2 -> s[S].dev = 1
        :: else
        fi;
#endif
        s[S].links--;
        leaves = !s[S].links && s[S].dev;
        begun[S] = 1
    }
#ifndef NO_MARKER
    if
    :: leaves -> send(S, LEAVE)
    :: else
    fi;
#endif
#if !defined(NO_MARKER) && !defined(FORGET_AT_SENDING)
    !leaves || s[S].left || GONE(S);
#endif
    atomic {
        if
        :: leaves -> forget(S); leaves = 0
        :: else
        fi;
        s[S].leaving--;
        sends = 0
    }
}

proctype leaver(byte me)
{
    byte sends;
    bit leaves;

    {
        let_go(me, 0);
        over[me]++
    } unless { IS_GUEST(me) && GONE(me) }
}

proctype connector(byte me)
{
    byte sends;
    bit leaves;

    {
#if !DEATHS && !defined(MEET_EARLY)
        begun[me];
#endif
        hello[me] = 1;
        hello[OTHER(me)];
        atomic {
#ifndef MEET_WHILE_LEAVING
            !s[me].leaving;
#endif
            s[me].connecting++;
            if
            :: s[me].links == 0 -> s[me].secret = 2
            :: else
            fi
        }
        learned[me] = 1;
        learned[OTHER(me)];
        s[me].links++;
        made[me] = 1;
        made[OTHER(me)];
        s[me].connecting--;
        let_go(me, 1);
        over[me]++
    } unless { IS_GUEST(me) && GONE(me) }
}

init
{
    atomic {
        s[0].links = 1;
        s[1].links = 1;
        s[0].secret = 1;
        s[1].secret = 1;
        run host_progress();
        run guest_progress(1);
        run leaver(0);
        run leaver(1);
#if !DEATHS
        run connector(0);
        run connector(1)
#endif
    }
#if DEATHS
    if
    :: dead = 1; place = 2;
        atomic {
            run guest_progress(3);
            run connector(2);
            run connector(3)
        }
    :: skip
    fi;
#endif
    timeout;
#if DEATHS
    assert(over[0] == 1 && (dead || over[1] == 1) && over[2] == dead && over[3] == dead);
#else
    assert(over[0] == 2 && over[1] == 2);
#endif
    assert(!s[0].links && !s[0].dev && !s[2].links && !s[2].dev);
    assert(dead || !s[1].links && !s[1].dev && s[0].life == s[1].life);
    assert(!s[3].links && !s[3].dev && s[2].life == s[3].life)
}
