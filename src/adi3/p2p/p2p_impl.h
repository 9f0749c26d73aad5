/* p2p_impl.h — shared between the files of src/adi3/p2p, and no others. */
#ifndef P2P_IMPL_H
#define P2P_IMPL_H

#include "adi3/p2p/p2p.h"

/* ---- credit (credit.c) ----------------------------------------------------------------------- */

extern size_t proto_credit; /* the setting EAGER_CREDIT: bytes */
/* What an eager message of len bytes costs in credit. */
static inline ptrdiff_t proto_cost(size_t len) { return (ptrdiff_t) len + 256; }

/* A message of len bytes that came eagerly has been taken: returns its credit to the sender. */
void proto_return_credit(struct adi3_proc *from, size_t len);
/* Whether that sends a packet: enough credit has come together. */
static inline bool proto_credit_due(const struct adi3_proc *from, size_t len)
{
    return from->pending_credit + (size_t) proto_cost(len)
           >= proc_job_of_peer(&from->peer)->credit_due;
}
void credit_job_added(int first, int count); /* gives these processes their credit */
extern const struct p2p_packet credit_packet;

/* ---- sending (protocol.c) -------------------------------------------------------------------- */

extern int proto_with_devices; /* p2p_with_devices() returns it, p2p_lend() changes it */

/* Fills in the header of a message that is sent eagerly. Of a plain packet nothing behind the
 * tag is sent. */
static inline void proto_eager(struct dev_pkt *pkt, const struct adi3_comm *c, int tag, size_t len,
                               int mode)
{
    pkt->payload = len;
    pkt->type = PKT_EAGER;
    pkt->flags = DEV_PLAIN;
    pkt->pad = 0;
    pkt->ctx = c->send_ctx + (mode & ADI3_COLL);
    pkt->rank = c->rank;
    pkt->tag = tag;
}

/* Sends r, whose bytes are set, eagerly or by rendezvous. An MPI error: nothing was sent. */
int proto_send(struct adi3_request *r, int mode);
/* Gives the data packet of r, in r->op, to the device. */
void proto_data(struct adi3_request *r, size_t len);
/* One completion of a send has come; err: a negative errno, or 0. With the last one r is done. */
void proto_sent(struct adi3_request *r, int err);
void proto_fin(struct dev_peer *to, uint32_t sreq); /* sends FIN for the request of that name */

/* ---- receiving (receive.c, read.c) ----------------------------------------------------------- */

/* The receive r takes an unexpected message, which has been taken out of the queue. */
void proto_claim(struct adi3_request *r, struct match_message *u);
/* Ends a receive that has its message, or has lost it (err, a negative errno). After an error the
 * status says 0 bytes. */
static inline void proto_finish(struct adi3_request *r, int err)
{
    if (err) {
        r->error = proc_error(proc_of(r->peer), err);
        r->got = 0;
    }
    request_done(r);
}
/* r has matched a message that was announced by this RTS: reads it, or asks for it by CTS. payload:
 * what came behind the RTS. */
void proto_accept(struct adi3_request *r, const struct dev_pkt *rts, const void *payload);
extern struct progress_source read_source;
extern struct dev_send *proto_reads; /* the messages that progress is going to read */

/* ---- noncontiguous layouts behind an RTS (noncontig.c) --------------------------------------- */

enum { NONCONTIG_MOST = 1024 }; /* bytes of a layout, at most */
/* Writes the layout of the bytes of r. Returns its length; 0 when it does not fit into room, or
 * when ranges are shorter than `least` bytes on average. */
size_t noncontig_write(const struct adi3_request *r, size_t least, void *to, size_t room);
/* The sender's memory as a layout says, for dev_get.there; NULL when the bytes are no layout of a
 * message of len bytes. noncontig_free() must follow. */
const struct dev_memory *noncontig_read(const void *payload, size_t bytes, size_t len);
void noncontig_free(const struct dev_memory *m);
void noncontig_finalize(void);
/* dev_upcalls.memory: the bytes of the send that key names, if `to` may read them; else NULL. */
const struct dev_memory *noncontig_exposed(struct dev_peer *to, uint64_t key);

/* ---- calls (pt2pt.c) ------------------------------------------------------------------------- */

/* Start a request that is new, or persistent. After an error of a send r may be freed. */
int pt2pt_send(struct adi3_request *r, const struct adi3_data *d, int mode);
void pt2pt_receive(struct adi3_request *r, const struct adi3_data *d, int mode);
/* Sends without a request where that is possible: MPI_SUCCESS, DEV_AGAIN where it is not, or an MPI
 * error. */
int pt2pt_inject(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);

/* ---- kinds of requests ----------------------------------------------------------------------- */

void persistent_end(struct adi3_request *r); /* frees what r starts */
int persistent_start(struct adi3_request *r);
void bsend_left(struct adi3_request *r); /* frees its bytes in the attached buffer */
void bsend_finalize(void);
/* Of a message that a matched probe has taken: its payload is lost (err, a negative errno). */
void probe_broken(struct adi3_request *message, int err);
void probe_drop(struct adi3_request *message); /* likewise: it will not be received */
int cancel_receive(struct adi3_request *r);
int cancel_send(struct adi3_request *r);
/* Of a send of this process to itself for which a call waits. An error, and the send is cancelled,
 * when it is certain that it would never end. Errors: MPI_ERR_OTHER. */
int cancel_hopeless_send(struct adi3_request *r);
extern const struct p2p_packet cancel_packet, cancelled_packet;

/* ---- unexpected messages, collective tags, checks, watching ---------------------------------- */

/* Enqueues a message as unexpected; complete: the caller has all of its payload. Returns the entry,
 * whose data the caller fills; NULL without memory. */
struct match_message *unexpected_enqueue(struct adi3_queues *q, struct dev_peer *from,
                                         const struct dev_pkt *pkt, bool complete);
void unexpected_free(struct match_message *u);
void unexpected_finalize(void);

/* match_unexpected() for a collective receive. NULL also when the message that was found is of a
 * call that differs. */
struct match_message *tag_unexpected(struct adi3_queues *q, int source, int tag);
/* The tag of our call that a message with no receive belongs to, if that differs from the message's
 * tag only in parts of the signature that may differ: the message is matched by it instead. 0:
 * there is none. */
int tag_to_match(const struct adi3_queues *q, const struct dev_pkt *pkt);

extern const char *check_setting;
int check_init(void);
void check_not_ready(const struct dev_pkt *pkt); /* a ready send has come before its receive */
/* Likewise: r receives it now. */
void check_was_ready(struct adi3_request *r, const struct dev_pkt *pkt);

extern struct adi3_proc
    *watch_probed; /* the source of the last probe that found nothing; or NULL */
void p2p_peer_lost(struct adi3_proc *p); /* ends the requests that depend on p */
void watch_tick(void); /* asks devices to watch the processes that requests wait for */

#endif /* P2P_IMPL_H */
