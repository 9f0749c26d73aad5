/* p2p.h — messages from process to process: packets, and what other rooms do with messages. */
#ifndef P2P_H
#define P2P_H

#include <string.h>
#include "adi3_calls.h"
#include "adi3_p2p.h"
#include "request.h"

extern const struct setting p2p_settings[];

/* ---- packets (packets.c) --------------------------------------------------------------------- */

/* The numbers on the wire. */
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
    PKT_SPARE, /* and those behind it: for protocols of tests */
    PKT_TYPES = PKT_SPARE + 3
};

enum {                  /* flags beside DEV_PLAIN */
       PKT_READY = 2,   /* the sender says that the receive is posted */
       PKT_DOUBTED = 4, /* of an unexpected one: see signed_tags.c */
};

/* A type of packets: how one is received. A handler that refuses (<0) loses the peer. */
struct p2p_packet {
    const char *name;
    bool payload; /* it may have one; else a packet with a payload is refused */
    /* The packet is here with all its payload, which is gone when this returns. */
    int (*whole)(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
    /* The payload is still coming: says where it goes. NULL: refused. */
    int (*begin)(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
    /* The payload is there, or is lost (err, a negative errno): target->cookie is what begin() set.
     * Must be there when begin is. */
    void (*end)(struct dev_target *target, int err);
};

/* Adds a row; a row that is there already is not added again.
 * Errors: MPI_ERR_INTERN when this number or this name has another row. */
int p2p_packet_add(enum adi3_pkt_type type, const struct p2p_packet *row);
/* The packet makes no sense: keeps a text that says so, returns a negative errno. */
int p2p_refuse(const struct dev_peer *from, const struct dev_pkt *pkt);

/* The header's bytes that are free for each protocol: those behind the tag. A protocol with fields
 * of its own has a struct for them of at most that size, which it asserts. */
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

/* Sends a packet without data; queues it when the device has no room. A negative errno: the peer
 * is lost. */
int p2p_control(struct dev_peer *to, const struct dev_pkt *pkt);
void p2p_lend(int ops);     /* so many more ops are with devices (less, if negative) */
int p2p_with_devices(void); /* ops of which done() has not been called */

/* A read by dev_ops.get begins (1) or is over (-1). */
extern int p2p_reading;

/* ---- life ------------------------------------------------------------------------------------ */

extern const struct dev_upcalls p2p_upcalls;
int p2p_init(void);        /* before devices are opened */
void p2p_set_credit(void); /* once the process table is there */

/* ---- queues by context id (queues.c) --------------------------------------------------------- */

int queues_init(void);
void queues_finalize(void);
void queues_ending(void);                      /* from now on nothing is said of what is lost */
struct adi3_queues *queues_find(uint32_t ctx); /* NULL when no packet has named it yet */
struct adi3_queues *queues_make(uint32_t ctx); /* likewise, and makes them; NULL without memory */
void queues_drop(uint32_t ctx);                /* with what has not been received */
/* A message that will not be received: its sender may send as much again. What is still arriving is
 * freed when all of it is there. */
void queues_lose(struct adi3_queues *q, struct match_message *u);
void queues_forget_exposed(void); /* messages that were to be read come in packets now */

extern struct queues_found { /* last; queues is NULL when there is none */
    uint32_t ctx;
    struct adi3_queues *queues;
} queues_found;

/* The queues of a context, which are made if need be; NULL without memory. */
static inline struct adi3_queues *queues_of(uint32_t ctx)
{
    return queues_found.queues && queues_found.ctx == ctx ? queues_found.queues : queues_make(ctx);
}

/* ---- tags of collective messages (signed_tags.c) --------------------------------------------- */

/* A call on this communicator, of those that are remembered; else NULL. */
struct adi3_call_record *call_record_of_number(const struct adi3_comm *c, bool init,
                                               uint32_t number);
struct adi3_call_record *call_record_of_tag(const struct adi3_comm *c, int tag);
int call_error(const struct adi3_comm *c, int tag); /* what it has failed with */
bool call_has_begun(const struct adi3_comm *c, bool init, uint32_t number); /* or a later one */

static inline bool tag_is_signed(int tag) /* does it have a number and a signature? */
{
    int number = (tag >= ADI3_TAG_INIT ? tag - ADI3_TAG_INIT : tag) / (ADI3_SIGNATURE + 1);

    return number >= 1 && number <= ADI3_NUMBERS;
}
static inline int tag_number(int tag) { return tag & ~ADI3_SIGNATURE; } /* what is matched */
/* The tag with which an unexpected message came: its signature is in pad. */
static inline int tag_of_message(const struct match_message *u) { return u->pkt.tag | u->pkt.pad; }
bool tag_agrees(int a, int b); /* of two calls: may the signatures meet? */
/* Whether an unexpected message is of another call than ours with this tag: then its sender is
 * asked. */
bool tag_differs(struct adi3_queues *q, struct match_message *u, int tag);

/* What the collective check does about calls that differ; all are cold. */
struct p2p_mismatch {
    /* Asks a process what it has called. */
    void (*ask)(struct adi3_comm *c, int rank, const struct adi3_call_record *call);
    /* A message of another length than the receive: the error of the call, or MPI_SUCCESS. */
    int (*length)(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
};
extern const struct p2p_mismatch *p2p_mismatch; /* NULL: calls are not compared */

/* ---- operations ------------------------------------------------------------------------------ */

/* Ends what waits for another process in the call with that number: a receive, or a send that its
 * receiver has to ask for. True when r was that. */
bool p2p_fail_request(struct adi3_request *r, const struct adi3_comm *c, int number, int err);
void p2p_unexpose(struct adi3_request *r); /* of a send that awaits CTS: it is not read any more */
/* MPI_Finalize: ends a request that is still there. */
void p2p_end_request(struct adi3_request *r);

#endif /* P2P_H */
