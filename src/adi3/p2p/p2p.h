/* p2p.h — messages from process to process: their packets, their queues, and what other rooms do
 * with them.
 *
 * For the rooms above: communicators, the collective check, shared-memory segments, schedules, the
 * clock, checkpoints and the job. This room stands above requests, matching and progress. It
 * receives what devices deliver (p2p_upcalls), and other rooms register packets of their own
 * (p2p_packet_add). */
#ifndef P2P_H
#define P2P_H

#include <string.h>
#include "adi3/adi3_calls.h"
#include "adi3/adi3_p2p.h"
#include "adi3/request/request.h"

extern const struct setting p2p_settings[];
extern const struct counter p2p_counters[];

/* ---- packets (packets.c) --------------------------------------------------------------------- */

/* The types of packets; their numbers are those on the wire. */
enum adi3_pkt_type {
    PKT_EAGER, /* 0, for inject_plain */
    PKT_RTS,
    PKT_CTS,
    PKT_DATA,
    PKT_FIN,
    PKT_CREDIT,
    PKT_QUIESCE,
    PKT_CANCEL,
    PKT_CANCELLED,
    PKT_ASK,
    PKT_DIFFERS,
    PKT_LAST,
    PKT_JOB_END,
    PKT_LEAVE,
    PKT_ABORT,
    PKT_RMA,      /* an operation, with its data */
    PKT_RMA_DATA, /* what an operation has fetched */
    PKT_RMA_TYPE, /* a datatype that operations will name by its number */
    PKT_RMA_SYNC, /* synchronization */
    PKT_TEST,     /* the types from here on are for protocols of tests */
    PKT_TYPES = PKT_TEST + 3
};

enum {                  /* flags beside DEV_PLAIN */
       PKT_READY = 2,   /* a ready send: the receive must be posted */
       PKT_QUERIED = 4, /* of an unexpected message: its sender has been asked what it called */
};

/* A type of packets: how one is received. A handler that returns a negative errno refuses the
 * packet: then the device reports the peer as lost. */
struct p2p_packet {
    const char *name;
    bool payload; /* false: a packet with a payload is refused */
    /* The packet has come with the whole payload, which is valid until the handler returns. */
    int (*whole)(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
    /* The payload is still coming: fills in where it goes. NULL: such a packet is refused. */
    int (*begin)(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
    /* All the payload has come, or it is lost (err, a negative errno). target->cookie is what
     * begin() set. NULL only if begin is. */
    void (*end)(struct dev_target *target, int err);
};

/* Adds a row; a row that is there already is not added again.
 * Errors: MPI_ERR_INTERN when this number or this name has another row. */
int p2p_packet_add(enum adi3_pkt_type type, const struct p2p_packet *row);
/* The packet makes no sense: makes an error text that says so. Returns a negative errno, for a
 * handler to return. */
int p2p_refuse(const struct dev_peer *from, const struct dev_pkt *pkt);

/* The bytes of the header behind the tag are free for each protocol. A protocol with fields of its
 * own has a struct for them, and asserts with P2P_FIELDS_FIT that it is not too large. */
enum { P2P_FIELDS = sizeof(struct dev_pkt) - offsetof(struct dev_pkt, len) };
#define P2P_FIELDS_FIT(type) _Static_assert(sizeof(type) <= P2P_FIELDS, "they fit the header")

static inline void p2p_put_fields(struct dev_pkt *pkt, const void *fields, size_t size)
{
    memcpy((char *) pkt + offsetof(struct dev_pkt, len), fields, size);
}

static inline void p2p_get_fields(const struct dev_pkt *pkt, void *fields, size_t size)
{
    memcpy(fields, (const char *) pkt + offsetof(struct dev_pkt, len), size);
}

/* Sends a packet without payload. When the device has no room it is queued. Returns a negative
 * errno when the peer is lost. */
int p2p_control(struct dev_peer *to, const struct dev_pkt *pkt);
/* Counts ops that are given to devices (more), and those of which done() is called (less than
 * 0). */
void p2p_lend(int ops);
int p2p_with_devices(void); /* ops of which done() has not been called yet */
int p2p_arriving(void);     /* packets of which a device has brought the header, but not all */

/* How many reads by dev_ops.get are under way. The caller of get counts its own: 1 at the begin, -1
 * in done(). */
extern int p2p_reading;

/* ---- life ------------------------------------------------------------------------------------ */

extern const struct dev_upcalls p2p_upcalls;
int p2p_init(void);        /* before devices are opened */
void p2p_set_credit(void); /* once there is a process table */

/* ---- queues by context id (queues.c) --------------------------------------------------------- */

int queues_init(void);
void queues_finalize(void);
void queues_ending(void); /* from now on no credit is returned, as the other processes have left */
/* NULL when there are none: neither a communicator nor a packet has named that context yet. */
struct adi3_queues *queues_find(uint32_t ctx);
struct adi3_queues *queues_make(uint32_t ctx); /* makes them if need be; NULL without memory */
/* Frees the queues of a context, with the messages that have not been received. No receive may be
 * posted there. */
void queues_drop(uint32_t ctx);
/* Discards an unexpected message that will not be received, and returns its credit. A message that
 * is still arriving is freed when all of it has come. */
void queues_discard(struct adi3_queues *q, struct match_message *u);
/* Messages that have not been received are no mistake of the program, as a process is lost. */
void queues_excuse(void);
/* Memory that was exposed for reading is not any more: announced messages come in packets. */
void queues_forget_exposed(void);
extern uint32_t queues_contexts; /* how many contexts have queues */

extern struct queues_found { /* the last that queues_make() found; queues NULL: none */
    uint32_t ctx;
    struct adi3_queues *queues;
} queues_found;

/* The queues of a context, which are made if need be; NULL without memory. */
static inline struct adi3_queues *queues_of(uint32_t ctx)
{
    return queues_found.queues && queues_found.ctx == ctx ? queues_found.queues : queues_make(ctx);
}

/* ---- tags of collective messages (signed_tags.c) --------------------------------------------- */

/* The record of a call on this communicator; NULL when there is none, or no longer. */
struct adi3_call_record *call_record_of_number(const struct adi3_comm *c, int form,
                                               uint32_t number);
struct adi3_call_record *call_record_of_tag(const struct adi3_comm *c, int tag);
/* The error that the call with this tag has failed with, or MPI_SUCCESS. */
int call_error(const struct adi3_comm *c, int tag);
/* True when the call with this number, or a later one of the form, has begun here. */
bool call_has_begun(const struct adi3_comm *c, int form, uint32_t number);

static inline bool tag_is_signed(int tag) /* true: it has a number and a signature */
{
    int base = tag >= ADI3_TAG_INIT ? ADI3_TAG_INIT : tag & ADI3_TAG_BEGUN;
    int number = (tag - base) / (ADI3_SIGNATURE + 1);

    return number >= 1 && number <= ADI3_NUMBERS;
}
static inline int tag_form(int tag) /* of the call that a tag with a number belongs to */
{
    if (tag >= ADI3_TAG_INIT)
        return ADI3_FORM_INIT;
    return tag & ADI3_TAG_BEGUN ? ADI3_FORM_BEGUN : ADI3_FORM_BLOCKING;
}
static inline int tag_number(int tag) { return tag & ~ADI3_SIGNATURE; } /* what is matched */
/* The tag with which an unexpected message came. In the queue its signature is in pad. */
static inline int tag_of_message(const struct match_message *u) { return u->pkt.tag | u->pkt.pad; }
bool tag_is_compatible(int a, int b); /* may calls with these signatures belong together? */
/* True when an unexpected message is of another call than ours with this tag. Then its sender is
 * asked, once, which call it has made. */
bool tag_differs(struct adi3_queues *q, struct match_message *u, int tag);

/* What the collective check does about calls that differ. None of it is on a hot path. */
struct p2p_mismatch {
    /* Asks a process what it has called. */
    void (*ask)(struct adi3_comm *c, int rank, const struct adi3_call_record *call);
    /* A message has another length than its receive. Returns the error of the call, or MPI_SUCCESS
     * when calls of this tag are not compared. */
    int (*length)(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
};
extern const struct p2p_mismatch *p2p_mismatch; /* NULL: calls are not compared */

/* ---- operations ------------------------------------------------------------------------------ */

/* Ends r with err if r waits for another process in the collective call with that number: if it is
 * a receive, or a send that awaits CTS. Returns whether it did. */
bool p2p_fail_request(struct adi3_request *r, const struct adi3_comm *c, int number, int err);
/* Of a send that awaits CTS: its memory is no longer exposed for reading. */
void p2p_unexpose(struct adi3_request *r);
/* In MPI_Finalize: removes a request that the program has left from its queue. */
void p2p_end_request(struct adi3_request *r);

#endif /* P2P_H */
