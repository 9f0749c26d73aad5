/* device.h — the contract between ADI3 and a channel device.
 *
 * A device moves packets between this process and the peers it can reach. It knows nothing of
 * communicators, datatypes or requests: ADI3 matches messages, picks protocols, and owns the
 * queues of receives and of unexpected messages. A device has queues only for what it has not
 * finished: packets to be sent, payloads to be received, reads. It includes this header, iov.h,
 * hex.h and headers of src/platform, and reaches ADI3 through struct dev_upcalls.
 *
 * Every function is called with the ADI3 lock held and does not wait for a peer. Unless its
 * comment says otherwise, an int result is 0, DEV_AGAIN (it could not be done now: call again
 * after poll) or a negative errno. An upcall, done() included, may call inject, send and
 * unexpose, and may add peers; it never polls and never deletes a peer. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { DEV_ABI = 14, DEV_AGAIN = 1, DEV_ENDPOINT_MAX = 256, DEV_IOV_MAX = 4, DEV_SECRET = 32 };

struct counter;
struct setting;

/* The fixed header of every packet. A device reads `payload` and DEV_PLAIN, and carries the rest
 * untouched. In a plain packet the fields behind tag have no meaning: they need not be carried. */
enum { DEV_PLAIN = 1 }; /* flags */

struct dev_pkt {
    uint64_t payload; /* bytes that follow this header */
    uint8_t type;     /* this and the rest is for ADI3 alone: enum adi3_pkt_type */
    uint8_t flags;
    uint16_t pad;
    uint32_t ctx; /* context id: which communicator */
    int32_t rank; /* sender's rank in that communicator */
    int32_t tag;
    uint64_t len;        /* bytes of the whole message */
    uint32_t sreq, rreq; /* request handles of sender and receiver, 0 when unknown */
    uint64_t addr; /* the message in the sender's memory, for get(); 0 when it is not exposed */
    uint64_t key;  /* of that memory; or a number for ADI3 alone */
};

/* A job: the processes of one MPI_COMM_WORLD. Its address stands for it, and stays valid until
 * forget_job() or close(). */
struct dev_job {
    uint64_t id; /* random, the same in all processes that know the job */
    int size;
    /* Known to the processes of this job and of the own job alone, and the same in all of them; of
     * the own job, to its processes alone. Set when peers of the job are added, not before. */
    unsigned char secret[DEV_SECRET];
};

/* One process, as one device sees it. Embedded in struct adi3_proc. */
struct dev_peer {
    const struct dev_job *job;
    int rank;      /* in its job */
    int16_t local; /* its index in node; -1 without one */
    bool can_get;  /* set by the device: get() can read this peer's memory */
    bool can_put;  /* likewise: put() can write to it */
    /* The memory that it shares with this process; NULL: it is on another node, or shares none. Of
     * processes of the own job it is dev_env's node. */
    const struct dev_node *node;
    const char *endpoint; /* the address that the peer's device wrote in open(); NULL: none */
    void *priv;           /* connection state, owned by the device */
};

/* Noncontiguous memory. Bytes are numbered in the order in which they travel. Memory beyond the
 * last byte is not touched. */
struct dev_memory {
    void (*gather)(const struct dev_memory *m, size_t at, void *to, size_t len);
    void (*scatter)(const struct dev_memory *m, size_t at, const void *from, size_t len);
    /* Writes to v the ranges that hold the bytes from *at on, at most n of them. Returns how
     * many, and sets *at to the byte behind them. */
    int (*ranges)(const struct dev_memory *m, size_t *at, struct iovec *v, int n);
};

/* One packet on its way out. ADI3 owns it and keeps it unchanged until done() is called. */
struct dev_send {
    struct dev_send *next; /* for the device's own queue */
    struct dev_pkt pkt;
    const struct dev_memory *memory; /* the payload; NULL: it is in iov */
    struct iovec iov[DEV_IOV_MAX];
    int iovcnt;
    size_t sent;                                /* for the device's own use; 0 when handed over */
    void (*done)(struct dev_send *op, int err); /* err: 0 or a negative errno */
};

/* A read of a peer's memory. ADI3 owns it and keeps it unchanged until done() is called. */
struct dev_get {
    struct dev_get *next; /* for the device's own use, as is priv */
    void *to;
    const struct dev_memory *memory; /* where the bytes go instead of `to`; NULL: to `to` */
    uint64_t addr, key;              /* as expose() gave them to the peer */
    /* The peer's memory if that is noncontiguous: its ranges are addresses of the peer, and the
     * peer's upcall memory() finds it by key. NULL: it is contiguous, at addr. */
    const struct dev_memory *there;
    size_t len;
    bool alone; /* the peer is busy: it should not be asked to take part */
    void (*done)(struct dev_get *op, int err); /* err: 0 or a negative errno */
    void *priv;
};

/* A write to a peer's memory. ADI3 owns it, and keeps it and the local bytes unchanged until done()
 * is called. */
struct dev_put {
    struct dev_put *next; /* for the device's own use, as are `to` and `written` */
    struct dev_peer *to;
    size_t written;
    const void *from;
    const struct dev_memory *memory; /* where the bytes are instead of `from`; NULL: at `from` */
    uint64_t addr, key;              /* within memory that the peer has registered */
    size_t len;
    void (*done)(struct dev_put *op, int err); /* err: 0 or a negative errno */
};

/* What an atomic operation works on: integers of so many bits, float and double. */
enum dev_type {
    DEV_INT8,
    DEV_UINT8,
    DEV_INT16,
    DEV_UINT16,
    DEV_INT32,
    DEV_UINT32,
    DEV_INT64,
    DEV_UINT64,
    DEV_FLOAT,
    DEV_DOUBLE,
    DEV_TYPES
};

/* What it makes of the element at the target, t, and of that of the origin, o. */
enum dev_op {
    DEV_SUM, /* t + o; integers wrap around */
    DEV_PROD,
    DEV_MIN,
    DEV_MAX,
    DEV_LAND, /* 1 or 0 */
    DEV_LOR,
    DEV_LXOR,
    DEV_BAND,
    DEV_BOR,
    DEV_BXOR,
    DEV_REPLACE, /* o */
    DEV_READ,    /* t; there is no o, and it always fetches */
    DEV_CAS,     /* o if t has the bits of the element in `compare`, else t; it always fetches */
    DEV_OPS
};

/* An atomic operation on contiguous elements of a peer's memory. ADI3 owns it, and keeps it and the
 * local elements unchanged until done() is called. */
struct dev_atomic {
    struct dev_atomic *next; /* for the device's own use, as is `to` */
    struct dev_peer *to;
    uint64_t addr, key; /* as in dev_put; a multiple of an element's size */
    size_t count;       /* elements, at most atomic_room() */
    enum dev_type type;
    enum dev_op op;
    const void *origin, *compare; /* elements; NULL where the operation has none */
    void *result;                 /* the elements that were there before; NULL: not fetched */
    void (*done)(struct dev_atomic *op, int err); /* err: 0 or a negative errno */
};

static inline size_t dev_type_size(enum dev_type type)
{
    static const uint8_t size[DEV_TYPES] = {
        1, 1, 2, 2, 4, 4, 8, 8, sizeof(float), sizeof(double)
    };

    return size[type];
}

/* A receive target: where ADI3 wants an incoming payload. */
struct dev_target {
    const struct dev_memory *memory; /* NULL: iov */
    struct iovec iov[DEV_IOV_MAX];
    int iovcnt;   /* may be 0, or hold less than the payload: the rest is dropped */
    void *cookie; /* for ADI3 alone, handed back in recv_end, ... */
    uint8_t row;  /* ... as this is */
};

struct dev_upcalls {
    /* A packet has come with its whole payload, which is at any address and which ADI3 copies
     * before it returns. <0: ADI3 refuses it, as the sender breaks the protocol; the device
     * drops it and calls peer_lost. >0: the process waited for this packet; poll() should return
     * soon. */
    int (*recv)(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
    /* A header has come, and its payload is still to come: sets where that goes, in a target
     * that is all zero. <0: refused, as above. */
    int (*recv_begin)(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
    /* The payload is in the target; or err, a negative errno: it will not come. That is called
     * before peer_lost. */
    void (*recv_end)(struct dev_target *target, int err);
    /* The peer can no longer be reached. The device has called done() with the error for every
     * op for it, and later sends to it fail. Not called for a peer that ended in order: see
     * del_peer. */
    void (*peer_lost)(struct dev_peer *peer, int err);
    /* The job with the id; NULL: this process knows no such job. */
    const struct dev_job *(*job)(uint64_t id);
    /* The peer with this rank in the job, added if it was not; NULL when there is none. */
    struct dev_peer *(*peer)(const struct dev_job *job, int rank);
    /* The peer with this index in the memory of dev_env's node, likewise. */
    struct dev_peer *(*peer_here)(int index);
    /* The noncontiguous memory that a peer may read under this key; NULL when there is none. */
    const struct dev_memory *(*memory)(struct dev_peer *to, uint64_t key);
};

struct dev_limits {
    size_t inject_max; /* largest payload inject() takes, bytes */
    size_t eager_max;  /* switch to rendezvous, bytes */
    size_t get_least;  /* get() reads noncontiguous memory if its ranges are so long on average,
                        * bytes; 0: it reads contiguous memory only */
    bool node_only;    /* reaches this node alone: opened first, other devices only if needed */
};

enum dev_sleep { DEV_AWAKE, DEV_ASLEEP, DEV_ASLEEP_EPOLL };

/* Indices of a node that differ by a multiple of this are of guests that have had one place in
 * turn; and bits that an index takes. */
enum { DEV_PLACES = 8192, DEV_INDEX_BITS = 29 };

/* The memory that the processes of one job share on one node; ADI3 makes and maps it. Processes of
 * other jobs can be guests there, with indices behind those of the job; an index is not used again
 * for a long time. A message to a process goes through the memory of its job. */
struct dev_node {
    char *base;
    int index;           /* of this process */
    int count;           /* processes of the job here: indices 0..count-1 */
    int cores;           /* that any of them may use; */
    bool oversubscribed; /* more processes than that */
    bool fences;         /* no membarrier here: a fence is needed between a write and asleep() */
    /* The word that says whether a process sleeps: enum dev_sleep. To be looked at after a write
     * that the process may wait for. */
    _Atomic uint32_t *(*asleep)(const struct dev_node *n, int index);
    void (*wake)(const struct dev_node *n, int index); /* wakes it; returns at once */
    void (*wake_all)(const struct dev_node *n);        /* all that sleep, and the guests */
    bool (*alive)(const struct dev_node *n, int index);
    /* The index that this process has as a guest there; -1: it is none. */
    int (*guest)(const struct dev_node *n, const struct dev_job *job, int rank);
    /* Takes zeroed, line-aligned memory, which cannot be given back. Returns its offset
     * from base, or 0 when there is none; then *why is the reason, for an error text. */
    size_t (*take)(const struct dev_node *n, size_t len, const char **why);
    /* The same of memory that can be given back, at a multiple of a page. give() gets the offset
     * and the length; no process writes to the memory any more. */
    size_t (*lend)(const struct dev_node *n, size_t len, const char **why);
    void (*give)(const struct dev_node *n, size_t offset, size_t len);
};

/* What open() gets. It lives until close(). */
struct dev_env {
    const struct dev_upcalls *up;
    const struct dev_job *job; /* of this process */
    int rank;                  /* of this process in it */
    const struct dev_node *node;
    bool beyond; /* in open(): processes of other jobs may come, on any node; later see widen */
    unsigned peer_timeout_s; /* a peer that is silent for so long is lost; 0: no limit */
    /* An unlocked section, for a long copy of so many bytes: if this answers true, it has
     * dropped the ADI3 lock, and lock() must follow, which takes it again. NULL: never. */
    bool (*unlock)(size_t len);
    void (*lock)(void);
    size_t at_once; /* most bytes to move in one poll, as other threads want the lock; 0: any */
};

struct dev_ops {
    const char *name;               /* such as "sockets": also the word in STARLING_DEVICES */
    int abi;                        /* DEV_ABI */
    const struct setting *settings; /* ended by a row with a NULL name; NULL: none */
    const struct counter *counters; /* likewise */

    /* Tells the limits within which this device runs here. A negative errno: it cannot run. Opens
     * nothing. */
    int (*query)(struct dev_limits *out);
    /* Gets ready to receive, and writes this device's endpoint address (printable, no blanks),
     * which ADI3 publishes. It may be the offset of memory that open() took from the node. */
    int (*open)(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX]);
    void (*close)(void);

    /* Tells how well this peer can be reached: 0 is best, <0 not at all. ADI3 gives the peer to the
     * cheapest device; of several to the one that was configured first. */
    int (*cost)(const struct dev_peer *peer);
    int (*add_peer)(struct dev_peer *peer); /* takes no resources before the first packet */
    /* Forgets a peer. Either all is sent and received, and the peer's end is no loss. Or ADI3 knows
     * that it died: then the device calls done() with -ECONNRESET for ops in its queues, and
     * recv_end() for a payload under way. */
    void (*del_peer)(struct dev_peer *peer);
    /* After del_peer() or peer_lost() of a process of another job, which sends nothing any more and
     * reads nothing: gives back all that the device still has for the peer. The memory of the peer
     * is used for another one then, and so may its job's be. NULL: there is nothing. */
    void (*forget_peer)(struct dev_peer *peer);
    /* After the last peer of another job: the address of the job stands for it no more. NULL:
     * the device has not kept it. */
    void (*forget_job)(const struct dev_job *job);

    /* Takes a copy of a small packet, or returns DEV_AGAIN. The packet does not overtake those of
     * send(). */
    int (*inject)(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
    /* Sends a packet. Calls op->done() once, perhaps before this returns, when op may be reused. An
     * error is reported through done() alone. */
    void (*send)(struct dev_peer *to, struct dev_send *op);

    /* From here on a member may be NULL: then ADI3 does it with messages, malloc, polling, or
     * not at all. */

    /* True: this device is not opened if another one reaches other nodes, unless STARLING_DEVICES
     * names it. Asked only where the device would be opened, since it may take a look at the
     * hardware. */
    bool (*on_request)(void);
    /* Makes this process reachable from other nodes as well, when open() did less since all
     * processes of the job are on this node, and processes of other jobs come. May write another
     * endpoint address, for those; the one that open() wrote stays valid. May be called again. */
    int (*widen)(char endpoint[DEV_ENDPOINT_MAX]);
    /* Moves what can move without waiting. True: something has moved, or will move in the next
     * poll; then the process does not sleep. NULL: the device never has work left over. */
    bool (*poll)(void);
    /* For a device that is a module: loads it and returns its functions, which are used from
     * then on instead of these, except name, settings, query, on_request and load. NULL: *why is
     * the reason, in words. */
    const struct dev_ops *(*load)(const char **why);
    /* A descriptor that is readable when poll() has work; <0: there is none now, poll again
     * soon. */
    int (*wait_fd)(void);
    /* Asked after a poll() that moved nothing, before sleeping on wait_fd; false: poll again. */
    bool (*may_sleep)(void);
    /* Reads a peer's memory. Calls op->done() once, perhaps before this returns; with
     * -EOPNOTSUPP if the device cannot read into noncontiguous memory. Reads out of such memory:
     * see get_least. */
    void (*get)(struct dev_peer *from, struct dev_get *op);
    /* Lets a peer read memory by get() until unexpose(). Sets the address (never 0) and the key
     * that the peer needs for that. NULL: get() takes the address as it is, and any key. */
    int (*expose)(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
                  void **handle);
    void (*unexpose)(void *handle);
    /* Writes to memory that the peer has registered. Calls op->done() once, perhaps before this
     * returns: with 0 when the bytes are in the peer's memory and its processor sees them. Some
     * devices need polls of the peer for that. After an error any of them may be there, and the
     * peer need not be lost. Puts, gets and packets that are under way at one time have no
     * order. */
    void (*put)(struct dev_peer *to, struct dev_put *op);
    /* Registers memory that is not empty for get() and put() by all peers. Sets the address of its
     * first byte (never 0), to which a peer adds an offset, and the remote key. The same memory may
     * be registered more than once. NULL: get() and put() take addresses as they are, and any
     * key. */
    int (*register_memory)(const struct iovec *mem, uint64_t *addr, uint64_t *key, void **handle);
    /* No peer reads or writes under that key any more, or does so in vain; but memory of
     * alloc_mem() may be open to peers until free_mem(). */
    void (*deregister_memory)(void *handle);
    /* Does an operation on memory that the peer has registered. Calls op->done() once, perhaps
     * before this returns: with 0 when it has happened at the target and the result is here. Each
     * element is atomic with respect to atomics of this device alone: not to puts, to other
     * devices, or to the target's own loads and stores. It has no order. After -EAGAIN nothing has
     * happened. After another error any element may have been changed. */
    void (*atomic)(struct dev_peer *to, struct dev_atomic *op);
    /* How many elements one operation takes at most; 0: the device does not do it. fetches: the
     * operation has a result. Asked after open(). Not NULL where atomic is not. */
    size_t (*atomic_room)(enum dev_type type, enum dev_op op, bool fetches);
    /* Memory that this device reads, writes and exposes at less cost, for MPI_Alloc_mem: at least
     * one byte, at a multiple of align. NULL: there is none. It outlives close(). */
    void *(*alloc_mem)(size_t align, size_t len);
    /* False: it is not of alloc_mem(). Nothing under way uses it. */
    bool (*free_mem)(void *at);
    /* As inject, for a plain packet of type 0 that is given by its fields: the shortest path of a
     * small message. */
    int (*inject_plain)(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                        const void *data, size_t len);
    /* Describes in a few words how the device reaches this peer, and why not better. The words
     * are the same for peers that are reached in the same way. */
    void (*describe)(const struct dev_peer *peer, char *text, size_t len);
    /* For a device that does not notice by itself when a peer ends: finds out whether this one
     * lives. Called twice a second while the process waits for the peer. If the peer has ended,
     * a later poll() calls peer_lost. */
    void (*watch)(struct dev_peer *peer);
    /* Says in words why this peer was lost, or with NULL why open() failed. Returns NULL when the
     * errno says all. */
    const char *(*why)(const struct dev_peer *peer);
    /* For a device that only surrounds another, as in STARLING_DEVICES=chaos:shm: returns the
     * device that surrounds `inner`, always the same; NULL: it cannot surround one more. Such a
     * device has no other function. */
    const struct dev_ops *(*wrap)(const struct dev_ops *inner);
};

extern const struct dev_ops *const dev_table[]; /* devices.c: a line for each device, then NULL */

#endif /* DEVICE_H */
