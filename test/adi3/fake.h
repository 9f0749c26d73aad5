/* fake.h — a job of three processes of which two are played by the test.
 *
 * Below the real ADI3 are a launcher and one device that the test controls: packets that ADI3 sends
 * are put into a list, and the test lets packets arrive, whole or in parts. */
#ifndef FAKE_H
#define FAKE_H

#include "adi3/adi3.h"
#include "adi3/collchk/collchk.h"
#include "adi3/comm/comm_impl.h"
#include "adi3/p2p/p2p_impl.h"
#include "adi3/proc/proc_impl.h"
#include "adi3/request/request.h"
#include "adi3/shmcoll/shmcoll.h"
#include "unit.h"

enum {
    FAKE_SIZE = 3,
    FAKE_RANK = 0,
    FAKE_EAGER_MAX = 4096,
    FAKE_INJECT_MAX = 512,
    FAKE_SHIFT = 1 << 20
};

/* How the device behaves; fake_reset() makes it do all at once again. */
struct fake {
    bool cannot_get;            /* reads no peer's memory */
    bool get_fails;             /* an error that comes only when get() is called */
    bool get_late;              /* a read is put into `late` instead of done */
    struct dev_get *late;       /* that one */
    bool reads_later;           /* what ADI3 may read it reads when it is polled, not at once */
    int again;                  /* refuses so many inject()s with DEV_AGAIN; -1: every one */
    bool holds;                 /* done() is called by fake_finish() only */
    bool loses;                 /* inject() and send() fail with -ECONNRESET */
    int no_peer;                /* add_peer() fails so many times with -ENOMEM */
    bool nowhere;               /* reaches no process */
    bool on_request;            /* is one that must be named, unless it has no rival */
    bool self;                  /* reaches our own process as well, at once */
    bool (*poll)(void);         /* called by poll() */
    int gets, adds, dels, asks; /* how often it was called; asks: whether it is on request */
    char endpoint[64];          /* the last that cost() was asked about */
};
extern struct fake fake;
extern char *(*fake_lists)(void); /* the launcher's lists of the ranks of nodes; NULL: none */
extern bool fake_gives_way; /* the last request for a business card could give the lock away */
extern void (*fake_barrier)(void); /* called at the end of each barrier of the launcher, or NULL */
extern int fake_size; /* of the job; the other processes do nothing in one of more than FAKE_SIZE */
extern struct dev_ops fake_ops;   /* the device itself */
extern struct dev_ops fake_rival; /* one that cannot run, unless a test says so */

struct fake_packet { /* one that ADI3 has sent */
    struct fake_packet *next;
    int to;
    struct dev_pkt pkt;
    struct dev_send *op; /* not done yet; NULL when injected or over */
    char payload[];
};

int fake_join(void);                   /* adi3_init in the job of three */
void fake_start(void);                 /* the same, and adds the other two */
void fake_let_go(struct adi3_comm *c); /* frees a communicator of several jobs, and its links */
void fake_stop(void);                  /* adi3_finalize; nothing may be under way */
void fake_leave(void);        /* the same whatever other communicators than the world have */
bool fake_join_barrier(void); /* a poll() with which the other two come to adi3_finalize, too */
void fake_reset(void);
void fake_without_get(void); /* the device has no get() at all */
void fake_with_get(void);
int fake_setup(void **state), fake_teardown(void **state); /* the first two for CMocka */
int fake_settled(void **state); /* nothing is under way; calls fake_reset() */

/* The oldest packet sent and not taken yet, removed; fails the test when there is none. The caller
 * frees it. */
struct fake_packet *fake_take(void);
struct dev_pkt fake_sent(int to, enum adi3_pkt_type type); /* the same, checked and freed */
int fake_waiting(void);                                    /* packets sent and not taken */
bool fake_holds_first(void);                               /* the oldest of them is not done yet */
void fake_drop(void);                                      /* takes all */
void fake_finish(int err);                                 /* calls done() of every op held back */

/* Lets a packet arrive from a process: whole, in this many pieces, or only its beginning. Each
 * answers what ADI3 does: < 0 when it refuses. */
enum { FAKE_WHOLE = 0 };
int fake_arrive(int from, struct dev_pkt pkt, const void *payload, int pieces);
int fake_begin(int from, struct dev_pkt pkt, struct dev_target *target);
void fake_pour(struct dev_target *target, const void *payload, size_t len); /* all of it */
void fake_end(struct dev_target *target, int err);

/* The peer is lost. As the contract of devices says: done() of each op first, then peer_lost(). */
void fake_lose(int rank);

struct dev_pkt fake_eager(int rank, int tag, size_t len);
struct dev_pkt fake_plain(struct dev_pkt pkt); /* the same as a plain packet */
struct dev_pkt fake_rts(int rank, int tag, size_t len, uint32_t sreq, const void *addr);

struct adi3_data fake_bytes(const void *buf, size_t len);
struct adi3_request *fake_isend(const void *buf, size_t len, int dest, int tag, int mode);
struct adi3_request *fake_irecv(void *buf, size_t len, int source, int tag);
int fake_class(int err);                 /* of an error code */
int fake_requests(void);                 /* that live */
uint64_t fake_counter(const char *name); /* what the row of this name counts */
bool fake_done(struct adi3_request *r);
/* Takes the result of a request that must be done. */
int fake_result(struct adi3_request *r, MPI_Status *status);

#endif /* FAKE_H */
