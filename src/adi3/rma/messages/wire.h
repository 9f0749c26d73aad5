/* wire.h — what the packets of one-sided operations carry, and how the files that send and serve
 * them work together. */
#ifndef WIRE_H
#define WIRE_H

#include "adi3/comm/comm.h"
#include "adi3/p2p/p2p.h"
#include "adi3/rma/messages/rma_messages.h"

/* A packet PKT_RMA: its tag is wire_tag(), and its payload the elements of the origin; of
 * ADI3_COMPARE_AND_SWAP the one to compare with and the new one. */
struct wire_op {
    int64_t disp;
    uint64_t count;   /* elements of the target, */
    uint64_t at;      /* and the packed byte of them at which the payload begins */
    uint32_t request; /* of the origin, which awaits PKT_RMA_DATA; 0: none. With a sync packet its
                    * number */
    uint32_t type;    /* the handle of a predefined type, or a number: see type.c */
};
P2P_FIELDS_FIT(struct wire_op);

/* A packet PKT_RMA_DATA: the payload is what has been fetched, unless there is an error. */
struct wire_data {
    uint32_t request;
    int32_t errclass;
    int64_t disp;
    uint64_t size; /* bytes of the window */
};
P2P_FIELDS_FIT(struct wire_data);
P2P_FIELDS_FIT(struct rma_sync_fields);
P2P_FIELDS_FIT(struct rma_key);

enum {
    WIRE_TYPES = 64,      /* types of a target that have a number */
    WIRE_CHUNK = 1 << 15, /* bytes of an accumulate operation in one packet */
    WIRE_PIGGYBACK = 256, /* bytes of the longest operation that waits for a sync packet */
};

/* The tag of PKT_RMA has four bytes: enum adi3_rma_kind; the number of the operation; enum rma_sync
 * of a sync packet that a put or accumulate carries, and that comes behind it; and of the first
 * operation after MPI_Win_lock enum rma_kind + 1: it waits for that lock. */
enum { WIRE_BYTE = 0xff, WIRE_OP_SHIFT = 8, WIRE_SYNC_SHIFT = 16, WIRE_LOCK_SHIFT = 24 };

static inline int32_t wire_tag(enum adi3_rma_kind kind, const struct adi3_op *op)
{
    return (int32_t) kind | (op ? op->handle & ADI3_BUILTIN_NUMBER : 0) << WIRE_OP_SHIFT;
}

/* Bytes of a chunk of such elements, but the last one. */
static inline size_t wire_chunk(const struct adi3_type *basic)
{
    return WIRE_CHUNK / basic->size * basic->size;
}

/* ---- packet operations (packet_op.c): what is given to a device ------------------------------ */

struct user_op { /* an operation of the user with a request */
    struct adi3_request *request;
    size_t left; /* packet operations that are not done */
};

struct packet_op {             /* of a request of ADI3_ONE_SIDED */
    struct rma_target *target; /* of an origin: it has the operation pending; else NULL */
    struct adi3_win *win;
    struct user_op *user_op; /* or NULL */
    char *buffer;            /* bytes that are sent or fetched; NULL: they are the user's */
    struct adi3_data result; /* where the buffer is unpacked; type NULL: nowhere */
    size_t at;               /* from this packed byte on */
    /* The operation, if the device does it: it may have to be done again by messages; or NULL. */
    struct adi3_rma *again;
};

/* A request with a copy of p, with one completion to come. Takes over p->buffer and p->again, also
 * on error. NULL without memory. */
struct adi3_request *packet_op_new(struct adi3_win *w, int rank, const struct packet_op *p);
/* Gives the packet to the device, with len bytes of payload: those of r, or its buffer. */
void packet_op_send(struct adi3_request *r, const struct dev_pkt *pkt, size_t len);
void packet_op_done(struct adi3_request *r,
                    int err); /* one completion of r has come; err: a negative errno */
/* What is told already of the operation that r belongs to, or of its target: only the first error
 * is told, and texts of many would displace it. MPI_SUCCESS: nothing. */
int packet_op_first_error(const struct adi3_request *r);
/* Of the window, for packets of this process. */
struct dev_pkt packet_op_header(const struct adi3_win *w, enum adi3_pkt_type type, size_t payload);
/* Tries to send a small packet at once: 0, DEV_AGAIN or a negative errno. */
int packet_op_inject(const struct adi3_win *w, int rank, const struct dev_pkt *pkt,
                     const void *payload);
/* The device of a process of w is known. Errors: it is lost, or nothing reaches it. */
int packet_op_reach(const struct adi3_win *w, int rank);

/* The window and the origin that a packet names; false: it names none. */
bool packet_op_origin(const struct dev_peer *from, const struct dev_pkt *pkt, struct adi3_win **w,
                      struct rma_target **t);

/* ---- a small operation that waits for a sync packet (piggyback.c) ---------------------------- */

static inline bool wire_goes_with(uint32_t sync)
{
    return sync == RMA_SYNC_FLUSH || sync == RMA_SYNC_UNLOCK || sync == RMA_SYNC_COMPLETE;
}

/* Holds a packet whose payload is that of d from packed byte `at` on: at most WIRE_PIGGYBACK
 * bytes. */
void piggyback_keep(struct adi3_win *w, struct rma_target *t, const struct dev_pkt *pkt,
                    const struct adi3_data *d, size_t at);
void piggyback_send(void); /* if there is one; t->err gets the error */
/* Sends what is delayed together with this sync packet, if it is for the same process and the sync
 * packet is about operations before it; false: the sync packet is to be sent by itself. */
bool piggyback_take_sync(const struct adi3_win *w, int rank, enum rma_sync sync, uint32_t number);
int piggyback_init(void);

/* ---- types by number (type.c) ---------------------------------------------------------------- */

/* What names a type in packets to t; sends the type first where t does not know it. */
int type_name(struct adi3_win *w, struct rma_target *t, struct adi3_type *type, uint32_t *name);
/* The type that a packet of t names; NULL: none. */
struct adi3_type *type_named(const struct rma_target *t, uint32_t name);
void type_cache_free(struct rma_target *t); /* what its types took */

/* ---- what waits for what came before (queue.c) ----------------------------------------------- */

struct rma_pending { /* from one origin, in the order of its packets */
    struct rma_pending *next;
    bool arrived; /* all of it is here */
    struct adi3_win *win;
    struct rma_target *origin;
    void (*run)(struct rma_pending *x); /* when all before x has run; frees what x owns, not x */
};

/* Appends x, or runs and frees it when it has arrived and nothing is before it. */
void pending_add(struct rma_pending *x);
void pending_arrived(struct rma_pending *x); /* all of it is here now */
void pending_free(struct rma_target *t);     /* what an origin that is lost has left */

/* ---- what wire.c adds ------------------------------------------------------------------------ */

extern const struct p2p_packet rma_op_packet, rma_data_packet, rma_type_packet, rma_sync_packet;
extern const struct request_kind packet_op_kind;
extern const struct rma_sync_row rma_flush_sync, rma_flushed_sync, rma_lock_sync, rma_locked_sync,
    rma_unlock_sync, rma_key_request_sync, rma_key_reply_sync;

/* ---- sync packets (sync.c, flush.c) ---------------------------------------------------------- */

/* Applies a sync packet from a target. The operations that came before the packet are done. */
void rma_sync_apply(struct adi3_win *w, struct rma_target *from, enum rma_sync sync,
                    const struct rma_sync_fields *fields);
/* Answers a flush or unlock with this number. */
void flush_answer(struct adi3_win *w, struct rma_target *t, uint32_t number);
/* Makes an MPI error of what a target has reported. */
int wire_error(const struct adi3_win *w, int rank, int errclass, int64_t disp, uint64_t size);

/* ---- by messages (message.c) ----------------------------------------------------------------- */

/* Starts an operation by messages; a put or get waits for nothing. */
int message_start(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  struct user_op *user_op);
/* Waits until few packet operations with t are under way. Errors: it is lost, so that its answers
 * would not come. */
int message_await_room(struct adi3_win *w, struct rma_target *t);

/* ---- by the device (device.c) ---------------------------------------------------------------- */

/* Gives a put or get to the device. False: it is none that the device can do, or the key of the
 * target is not known yet, and nothing is done. */
bool device_start(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  struct user_op *user_op);
void rma_key_received(struct rma_target *t, const struct rma_key *key);
void rma_deregister(struct adi3_win *w); /* no process accesses w by its device any more */
void rma_devices_end(void);              /* base_hooks.devices_end */

/* ---- locks that are asked for by packets (lock_wait.c, remote_lock.c) ------------------------ */

/* An origin asks for the lock of this process's window, or gives it up, by packets; or it is lost.
 * Errors: MPI_ERR_OTHER when the packet cannot be right, MPI_ERR_NO_MEM. */
int rma_lock_asked(struct adi3_win *w, struct rma_target *origin, uint32_t kind);
/* The same by an operation, which waits in the queue of its origin: see queue.c. */
int rma_lock_queued(struct adi3_win *w, struct rma_target *origin, enum rma_kind kind);
void rma_lock_given_up(struct adi3_win *w, struct rma_target *origin);
void rma_lock_origin_lost(struct adi3_win *w, struct rma_target *origin);
void rma_lock_free(struct adi3_win *w); /* what waits for locks of w without a call */
int rma_lock_init(void);

/* Before an operation: the lock is here, or it is due and the operation is so small that it can ask
 * for it: then it calls remote_lock_take(). */
int remote_lock_ready(struct adi3_win *w, struct rma_target *t, bool small);
/* The operation that is now sent asks for the lock: enum rma_kind + 1; or 0. */
uint32_t remote_lock_take(struct rma_target *t, bool fetches);
void remote_lock_forget(const struct adi3_win *w);
/* The error of a lock that a dead process has. */
int rma_lock_denied(const struct adi3_win *w, int rank);

/* ---- failure detection (watch_targets.c) ----------------------------------------------------- */

int wire_watch_init(void);

#endif /* WIRE_H */
