/* leave.pml — two processes of two jobs leave each other and meet again: receive_leave(),
 * leave_process() and adi3_comm_leave() of src/adi3/connect/links.c, adi3_job_learn() and
 * adi3_job_learned() of introduce.c, mpir_connect() of src/mpi/comm/connect.c, proc_forget() of
 * src/adi3/proc/proc.c.
 *
 * Each process has threads, which run one at a time, as the lock of the library has it: one lets a
 * communicator go; CONNECTS others connect again at the same time, and let go what they have made.
 * With -DFAILS a connect may fail, in one process before it has the communicator; with -DTALKED the
 * two have talked before. Messages, up to SENDS of each process in a communicator, and LEAVE
 * are in one FIFO for each direction. With -DDEATHS process 1 may die anywhere; another guest then
 * takes its place in the segment of process 0, connects, and its messages follow in the same FIFO. */
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef CONNECTS
#define CONNECTS 1
#endif
#ifndef SENDS
#define SENDS 1 /* most messages in a communicator */
#endif
#define ROOM 2 /* packets in a FIFO */

mtype = { DATA, LEAVE };

/* What a process has for its peer; process 0 and each guest are a pair: sides 0 and 1, and after a
 * death 2 and 3. */
typedef side {
    byte links; /* communicators that span both */
    bit dev;    /* the peer has a device here, ... */
    bit known;  /* ... and both know that */
    bit told, left; /* this side, or the peer, has told that nothing follows */
    byte leaving, connecting;
    byte life; /* how often the peer was forgotten */
};
side s[4];
bit dead;       /* guest 1 */
byte place = 1; /* the guest that has the place in the segment of process 0 */

/* The guest that writes or reads, and the life of the pair in which the packet was sent. */
chan to_host = [ROOM] of { mtype, byte, byte };
chan to_guest[3] = [ROOM] of { mtype, byte, byte };

#define OTHER(S)    ((S) ^ 1)
#define GUEST(S)    ((S) / 2 + 1)
#define IS_GUEST(S) ((S) & 1)
#define GONE(S)     (dead && (S) < 2) /* the peer of this side, or the process itself */
#define HAS_ROOM(S) (IS_GUEST(S) && nfull(to_host) || !IS_GUEST(S) && nfull(to_guest[GUEST(S)]))

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
    s[S].known = 0;
    s[S].told = 0;
    s[S].left = 0;
    s[S].life++
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

/* Of a process: the communicators whose exchange it has begun, its connects and how far they are. */
typedef steps { byte known[3]; bit hello[3], learned[3], made[3], bad[3] };
steps told[4];
byte over[4]; /* threads that have come to their end */

/* Whether this side tells that nothing follows. While a connect is under way it waits for the
 * other to begin: the connect may have made a link there already. */
#ifdef LEAVE_WHILE_CONNECTING
#define MAY_TELL(S) true
#elif defined(NO_ANSWER_WHILE_CONNECTING)
#define MAY_TELL(S) !s[S].connecting
#else
#define MAY_TELL(S) (s[S].left || !s[S].connecting)
#endif

/* The peer has a device here behind a connect that fails, too; what both do has to be what both
 * know. */
#ifdef LEAVE_BY_DEVICE
#define MUST_LEAVE(S) (!s[S].links && s[S].dev)
#else
#define MUST_LEAVE(S) (!s[S].links && (s[S].known || s[S].dev && GONE(S)))
#endif

/* What a thread that has dropped a link does until the peer is forgotten, or linked again. */
inline leave(S)
{
    do
    :: !leaves -> break
    :: atomic { leaves && (s[S].links || !s[S].dev) -> leaves = 0 }
#ifdef NO_MARKER
    :: atomic { leaves -> forget(S); leaves = 0 }
#else
    :: atomic {
            leaves && s[S].dev && !s[S].links && !s[S].told && MAY_TELL(S) && HAS_ROOM(S) ->
            send(S, LEAVE);
            s[S].told = 1;
            if
            :: s[S].left -> forget(S); leaves = 0
            :: else
            fi
        }
#ifdef FORGET_AT_SENDING
    :: atomic { leaves && s[S].told -> forget(S); leaves = 0 }
#endif
    :: atomic {
            leaves && s[S].dev && !s[S].links && (s[S].told && s[S].left || GONE(S)) ->
            forget(S);
            leaves = 0
        }
#endif
    od
}

/* A communicator that is used now and then, and let go. */
inline let_go(S, COMM)
{
    do
    :: sends < SENDS && s[S].links ->
        s[S].dev = 1;
        send(S, DATA);
        sends++
    :: break
    od;
    told[S].known[COMM] = 1 + s[S].dev; /* the exchange of all members */
    told[OTHER(S)].known[COMM] || GONE(S);
    atomic {
        s[S].leaving++;
        if
        :: told[S].known[COMM] == 2 -> s[S].known = 1
#ifndef NO_EXCHANGE
        :: told[OTHER(S)].known[COMM] == 2 -> s[S].known = 1; s[S].dev = 1
#endif
        :: else
        fi;
        s[S].links--;
        leaves = MUST_LEAVE(S);
        sends = 0
    }
    leave(S);
    s[S].leaving--
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

/* A connect learns of the other job unless one of the two has told that nothing follows: then it
 * waits until the other has, too. WAIT_FOR_LEAVERS waits for each thread that has let go. */
#ifdef MEET_WHILE_LEAVING
#define MAY_LEARN(S) true
#elif defined(WAIT_FOR_LEAVERS)
#define MAY_LEARN(S) !s[S].leaving
#else
#define MAY_LEARN(S) !(s[S].told || s[S].left)
#endif

/* In a connect that fails some have made the communicator and unlink it. Peers that both know are
 * left, which another thread may not have done since they were linked. */
inline fail(S, COMM)
{
    atomic {
        if
        :: !told[S].bad[COMM] -> s[S].links--
        :: else
        fi;
        s[S].connecting--;
        s[S].leaving++;
#ifdef FAIL_IN_SILENCE
        leaves = 0
#else
        leaves = MUST_LEAVE(S)
#endif
    }
    leave(S);
    s[S].leaving--
}

proctype connector(byte me, comm)
{
    byte sends;
    bit leaves;

    {
        told[me].hello[comm] = 1;
        told[OTHER(me)].hello[comm];
        atomic { MAY_LEARN(me) -> s[me].connecting++ }
        told[me].learned[comm] = 1;
        told[OTHER(me)].learned[comm];
        if
        :: s[me].links++
#ifdef FAILS
        :: atomic { s[me].links++; s[me].dev = 1 }
        :: told[me].bad[comm] = 1
#endif
        fi;
        told[me].made[comm] = 1;
        told[OTHER(me)].made[comm];
        if
        :: told[me].bad[comm] || told[OTHER(me)].bad[comm] -> fail(me, comm)
        :: else -> s[me].connecting--; let_go(me, comm)
        fi;
        over[me]++
    } unless { IS_GUEST(me) && GONE(me) }
}

init
{
    atomic {
        s[0].links = 1;
        s[1].links = 1;
#ifdef TALKED
        s[0].dev = 1;
        s[1].dev = 1;
#endif
        run host_progress();
        run guest_progress(1);
        run leaver(0);
        run leaver(1);
#if !DEATHS
        run connector(0, 1);
        run connector(1, 1);
#if CONNECTS > 1
        run connector(0, 2);
        run connector(1, 2);
#endif
#endif
    }
#if DEATHS
    if
    :: dead = 1; place = 2;
        atomic {
            run guest_progress(3);
            run connector(2, 1);
            run connector(3, 1)
        }
    :: skip
    fi;
#endif
    timeout;
#if DEATHS
    assert(over[0] == 1 && (dead || over[1] == 1) && over[2] == dead && over[3] == dead);
#else
    assert(over[0] == 1 + CONNECTS && over[1] == 1 + CONNECTS);
#endif
    assert(!s[0].links && !s[0].known && !s[2].links && !s[2].known);
    assert(dead || !s[1].links && !s[1].known && s[0].life == s[1].life);
    assert(!s[3].links && !s[3].known && s[2].life == s[3].life);
#ifndef FAILS
    assert(!s[0].dev && (dead || !s[1].dev) && !s[2].dev && !s[3].dev)
#endif
}
