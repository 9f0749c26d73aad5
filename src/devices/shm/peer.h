/* peer.h — the record of a peer, in this process.
 *
 * The files of the device from the ground up, of which each calls only files named before it:
 * peer.c, cma.c, stream.c, fifo.c, ring.c, tx.c, put.c, coop_copy.c, rx.c, shm.c. */
#ifndef PEER_H
#define PEER_H

#include "devices/shm/segment.h"
#include "devices/shm/stream.h"

/* shm_inject_plain() tests one number: whether there is credit. It must not write while packets
 * wait, nor where each write needs a fence. Then the direct path is closed: this much is subtracted
 * from the credit, which makes it negative. */
enum { SHM_CLOSED = 1 << 20 };

struct shm_tx {
    struct shm_ring *ring;     /* NULL until the pair talks enough: wants_ring() */
    bool announced;            /* the entry SHM_RING is in the peer's FIFO */
    bool refused;              /* there was no memory for a ring */
    unsigned count;            /* entries sent through the FIFO ... */
    unsigned refused_at;       /* ... when it was refused last */
    int credit;                /* lines that may be written; less SHM_CLOSED: shm_set_direct() */
    int free;                  /* further free lines, without the two that stay clear */
    struct shm_line *at, *end; /* the line to be written next; the end of the ring */
    struct shm_line *cleared;  /* its word has been cleared in advance: see ring.c */
    uint64_t seen;             /* lines known to be consumed */
    unsigned polls;            /* shm_polls, modulo 2^32, when the last entry was written */
    bool stream;               /* a long message is being written past the cache */
    struct shm_pace pace;
    struct shm_fifo *fifo;          /* the peer's */
    struct dev_send *first, **last; /* packets that wait for credit */
};

struct shm_coop_rx { /* the receiver's own part of a cooperative copy */
    struct shm_coop *shared;
    struct dev_get *op; /* NULL: none is under way */
    uint64_t left;      /* bytes */
    int error;
};

struct shm_rx {
    struct shm_ring *ring;       /* NULL: there is none, or it is no longer read */
    struct shm_ring *memory;     /* of the ring, until the peer is forgotten */
    unsigned lines, pos;         /* of the ring; line of the next entry */
    uint64_t consumed, returned; /* lines read; lines whose credit has been returned */
    bool partial;                /* further fragments of a packet are to come */
    struct dev_target target;
    uint64_t payload, got;            /* of that packet: its bytes, and how many have come */
    struct dev_get *gets, **last_get; /* large messages that wait for a cooperative copy */
    struct shm_coop_rx coop[SHM_COOPS];
    struct shm_coop own_coop[SHM_COOPS]; /* instead of the ring's, while there is no ring */
    unsigned coops;                      /* cooperative copies begun */
    uint64_t progress_ns;                /* when one began or its last fragment came */
    bool asked_sender;                   /* the sender was asked to take part */
    bool sender_absent;                  /* it was asked the last time, and did not take part */
    bool coop_listed;                    /* in the list of peers whose messages are copied here */
};

struct shm_peer {
    struct dev_peer *peer;
    _Atomic uint32_t *asleep; /* see dev_node */
    bool gone;
    int index;   /* of a peer of another job: as a guest, -1 before it has sent */
    int no_cma;  /* why its memory cannot be read: shm_cma_refusal(); 0: it can */
    bool listed; /* in the list shm_sending */
    struct shm_tx tx;
    struct shm_rx rx;
    bool coop_tx_listed; /* in the list of peers to which chunks are written */
    int coop_tx_at;      /* index of the cooperative copy that chunks are claimed of */
    struct shm_peer *next_sending, *next_coop_rx, *next_coop_tx, *next_other;
};

extern const struct dev_env *shm_env; /* what open() was given */
extern struct shm_peer **shm_rings;   /* the peers that send through a ring */
extern int shm_nrings;
struct shm_peer *shm_peer_new(struct dev_peer *peer); /* NULL: no memory */
/* The peer with the index in the node's memory, added when new; NULL: no such peer. */
struct shm_peer *shm_peer_at(int index);
void shm_peer_forget(struct shm_peer *p); /* it is gone, and in no list: frees the record */
void shm_peers_free(void);
void shm_wake(const struct shm_peer *p); /* wakes a sleeping peer: after each write for it */
/* From now on the peer sends through this ring. False: no memory. */
bool shm_rings_add(struct shm_peer *p, struct shm_ring *ring);
/* Forgets the ring of p and ends a packet whose fragments are still to come. */
void shm_peer_end_receive(struct shm_peer *p);
extern struct dev_put *shm_putting, **shm_last_put; /* long writes under way */
/* A poll may have to go on with cooperative copies, long writes, or packets that wait. */
extern bool shm_unfinished;

void shm_peer_drop_ops(struct shm_peer *p, int err); /* ends all its ops with err */
void shm_peer_lose(struct shm_peer *p, int err);     /* all of this, and tells ADI3 */

/* Orders a write to shared memory before the look at whether its reader sleeps; see dev_node. */
static inline void shm_fence(void)
{
    if (__builtin_expect(shm_env->node->fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
}

/* Opens or closes the direct path of small messages: see SHM_CLOSED. To be called when the queue of
 * packets, `announced` or `gone` have changed. */
static inline void shm_set_direct(struct shm_peer *p)
{
    struct shm_tx *t = &p->tx;
    bool open = t->announced && !t->first && !p->gone && !shm_env->node->fences;

    if (open != (t->credit >= 0))
        t->credit += open ? SHM_CLOSED : -SHM_CLOSED;
}

#endif /* PEER_H */
