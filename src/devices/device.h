/* device.h — the contract between ADI3 and a channel device.
 *
 * A device moves packets between this process and the peers it can reach. It knows nothing of
 * communicators, datatypes or requests: ADI3 matches messages, picks protocols and owns all
 * queues. It includes this header and platform headers only, and reaches ADI3 through struct
 * dev_upcalls.
 *
 * Every function is called with the ADI3 lock held and never blocks. It returns 0, DEV_AGAIN (no
 * room: call again after poll) or a negative errno. An upcall, done() included, may inject and
 * send, never poll or delete peers. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { DEV_ABI = 6, DEV_AGAIN = 1, DEV_ENDPOINT_MAX = 256, DEV_IOV_MAX = 4, DEV_SECRET = 32 };

struct setting;

/* The fixed header of every packet. A device reads payload and DEV_PLAIN, and carries the rest
 * untouched. Of a plain packet nothing that follows tag means anything, at either end. */
enum { DEV_PLAIN = 1 }; /* flags */

struct dev_pkt {
    uint64_t payload; /* bytes that follow this header */
    uint8_t type;     /* from here on ADI3's own: enum adi3_pkt_type */
    uint8_t flags;
    uint16_t pad;
    uint32_t ctx; /* context id: which communicator */
    int32_t rank; /* sender's rank in that communicator */
    int32_t tag;
    uint64_t len;        /* bytes of the whole message */
    uint32_t sreq, rreq; /* request handles of sender and receiver, 0 when unknown */
    uint64_t addr; /* the message in the sender's memory, for get(); 0 when it is not offered */
    uint64_t key;  /* of that memory; or a number of ADI3's own */
};

/* One process, as one device sees it. Embedded in struct adi3_proc. */
struct dev_peer {
    int world_rank;
    int local; /* its index on our node, -1 when it is on another or does not share memory */
    const char *endpoint; /* address the peer's device wrote in open(); NULL if it has none */
    bool can_get;         /* set by the device: get() reads this peer's memory */
    void *priv;           /* connection state, owned by the device */
};

/* Memory in many pieces. Bytes are numbered as they travel; what is beyond its end is not
 * touched. */
struct dev_memory {
    void (*gather)(const struct dev_memory *m, size_t at, void *to, size_t len);
    void (*scatter)(const struct dev_memory *m, size_t at, const void *from, size_t len);
    /* Where they are, from byte *at on, in n pieces at most: how many, and *at is behind them. */
    int (*ranges)(const struct dev_memory *m, size_t *at, struct iovec *v, int n);
};

/* One packet on its way out. ADI3 owns it and keeps it unchanged until done() is called. */
struct dev_send {
    struct dev_send *next; /* for the device's own queue */
    struct dev_pkt pkt;
    const struct dev_memory *memory; /* of the payload; NULL: it is in iov */
    struct iovec iov[DEV_IOV_MAX];
    int iovcnt;
    size_t sent; /* progress mark, for the device; 0 when handed over */
    void (*done)(struct dev_send *op, int err); /* err: 0 or a negative errno */
};

/* Memory of a peer that ADI3 wants here. It keeps this unchanged until done() is called. */
struct dev_get {
    struct dev_get *next; /* for the device's own use, like priv */
    void *to;
    const struct dev_memory *memory; /* where it goes instead; NULL: to one place */
    uint64_t addr, key;              /* as expose() gave them to the peer */
    /* Where it is when in pieces: its ranges are addresses of the peer, and key is what the peer's
     * memory() knows it by. NULL: in one, at addr. */
    const struct dev_memory *there;
    size_t len;
    bool alone;                                /* the peer is busy, and would be of no help */
    void (*done)(struct dev_get *op, int err); /* err: 0 or a negative errno */
    void *priv;
};

/* Where ADI3 wants an incoming payload. */
struct dev_target {
    const struct dev_memory *memory; /* NULL: iov */
    struct iovec iov[DEV_IOV_MAX];
    int iovcnt;   /* 0, or room for less than the payload: drop the rest */
    void *cookie; /* ADI3's, handed back in recv_end, ... */
    uint8_t row;  /* ... like this */
};

struct dev_upcalls {
    /* A packet with its whole payload at hand, at any address, which ADI3 copies before it returns.
     * Refused (<0): the sender breaks the protocol, the device drops it and calls peer_lost. More
     * than 0: this is what the process waits for, who looks for more now keeps it waiting. */
    int (*recv)(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
    /* A header has arrived and its payload is still coming: says where it goes, in a target that is
     * all zero. Refused: likewise. */
    int (*recv_begin)(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
    /* The payload is there, or is lost (err, a negative errno; comes before peer_lost). */
    void (*recv_end)(struct dev_target *target, int err);
    /* The peer can no longer be reached. The device has called done() of every op for it, with the
     * error; later sends to it fail. Not called for a peer that ended in order (see del_peer). */
    void (*peer_lost)(struct dev_peer *peer, int err);
    /* The peer with this rank in MPI_COMM_WORLD, added if it was not; NULL when there is none. */
    struct dev_peer *(*peer)(int world_rank);
    /* The memory in pieces that a peer may read under this key; NULL when there is none. */
    const struct dev_memory *(*memory)(struct dev_peer *to, uint64_t key);
};

struct dev_limits {
    size_t inject_max; /* largest payload inject() takes, bytes */
    size_t eager_max;  /* switch to rendezvous, bytes */
    size_t get_least;  /* get() reads pieces of so many bytes on average; 0: only one */
    bool node_only;    /* reaches this node alone: opened first, others only if needed */
    /* Left to another device that reaches other nodes, unless STARLING_DEVICES names this one. */
    bool on_request;
};

enum dev_sleep { DEV_AWAKE, DEV_ASLEEP, DEV_ASLEEP_EPOLL };

/* The memory that the processes of one job share on one node; ADI3 makes and maps it. */
struct dev_node {
    char *base;
    int index;           /* ours; indices are 0..count-1 */
    int count;           /* how many processes are here */
    bool oversubscribed; /* more processes than cores */
    bool fences;         /* no membarrier here: fence between a write and a look at asleep() */
    /* The word that tells whether a process sleeps: look at it after handing something over. */
    _Atomic uint32_t *(*asleep)(int index);
    void (*wake)(int index); /* when it does; returns at once */
    int (*world_rank)(int index);
    bool (*alive)(int index);
    /* Takes zeroed, line-aligned memory for ever: its offset from base, or 0 when there is none
     * (why: in words, for an error text). */
    size_t (*take)(size_t len, const char **why);
};

struct dev_env { /* what open() gets; lives until close(). secret is there when peers are added */
    const struct dev_upcalls *up;
    int world_rank, world_size;
    const struct dev_node *node;
    unsigned peer_timeout_s;          /* a peer that is silent for so long is lost; 0: never */
    unsigned char secret[DEV_SECRET]; /* known to the processes of this job and to nobody else */
    char job[64];                     /* names the job, unique on this machine */
    /* For get(): a copy of so many bytes may be made without the lock, if this answers true; then
     * back() must follow. NULL: no. */
    bool (*aside)(size_t len);
    void (*back)(void);
    size_t at_once; /* bytes to move in one poll, since other threads want the lock; 0: any */
};

struct dev_ops {
    const char *name;               /* "sockets": also the word in STARLING_DEVICES=shm,sockets */
    int abi;                        /* DEV_ABI */
    const struct setting *settings; /* ended by a NULL name; NULL if none */

    /* Within which limits does this device run here? A negative errno: not at all. Opens
     * nothing. */
    int (*query)(struct dev_limits *out);
    /* Gets ready to receive and writes this device's address endpoint (printable, no blanks), which
     * ADI3 publishes. Peers that share memory find what open() took from it by the endpoint. */
    int (*open)(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX]);
    void (*close)(void);

    /* How well can this peer be reached (0 best, <0 not at all)? The cheapest device gets it, of
     * several the one that was configured first. */
    int (*cost)(const struct dev_peer *peer);
    int (*add_peer)(struct dev_peer *peer); /* spends nothing until they talk */
    /* All is sent and received, its end is no loss; or ADI3 knows that it died, then ops still
     * queued for it get done() with -ECONNRESET, and a payload still coming its recv_end(). */
    void (*del_peer)(struct dev_peer *peer);

    /* Copies a small packet and forgets it, or answers DEV_AGAIN. Never overtakes send(). */
    int (*inject)(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
    /* Takes a packet; op->done() is called once, perhaps before this returns, when op may be
     * reused. An error is reported through done() alone. */
    void (*send)(struct dev_peer *to, struct dev_send *op);

    /* From here on NULL means: ADI3 does it with messages, malloc, polling, or not at all. */

    /* Moves what can move without waiting; true if anything did, or is held back only until the
     * next poll: nobody sleeps after that. NULL: nothing is ever left over. */
    bool (*poll)(void);
    /* Of a device that is a module: loads it and gives its functions, which then stand for these;
     * name, settings, query and load are the front's. NULL: why says in words what is missing. */
    const struct dev_ops *(*load)(const char **why);
    /* Becomes readable when poll() has work; <0: nothing does, look again soon. */
    int (*wait_fd)(void);
    /* Asked after a poll() that moved nothing, before sleeping on wait_fd; false: poll again. */
    bool (*may_sleep)(void);
    /* Reads a peer's memory; op->done() is called once, perhaps before this returns. A device that
     * cannot read into many pieces says -EOPNOTSUPP; out of many: see get_least. */
    void (*get)(struct dev_peer *from, struct dev_get *op);
    /* Lets a peer read memory by get(), until unexpose(): gives the address (never 0) and the key
     * it needs for that. NULL: the address as it is, and any key. */
    int (*expose)(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
                  void **handle);
    void (*unexpose)(void *handle);
    /* As inject, of a plain packet of type 0 from its parts: the shortest way of a small
     * message. */
    int (*inject_plain)(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                        const void *data, size_t len);
    /* How it reaches this peer, and why no better, in a few words that are the same for peers which
     * it reaches alike. */
    void (*describe)(const struct dev_peer *peer, char *text, size_t len);
    /* Twice a second while somebody waits for this peer, of a device that does not notice by
     * itself when one ends: finds out whether it lives. poll() tells when it does not. */
    void (*watch)(struct dev_peer *peer);
    /* In words why this peer was lost, or with NULL why open() failed; NULL: the errno says all. */
    const char *(*why)(const struct dev_peer *peer);
    /* For a device that does nothing but surround another, named as in chaos:shm: that one with it
     * around, always the same; NULL when it cannot have so many. It has no other function. */
    const struct dev_ops *(*wrap)(const struct dev_ops *inner);
};

extern const struct dev_ops *const dev_table[]; /* devices.c: one line per device, NULL-ended */

#endif /* DEVICE_H */
