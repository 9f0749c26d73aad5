/* p2p_impl.h — shared between the files of src/adi3/p2p, and no others. */
#ifndef P2P_IMPL_H
#define P2P_IMPL_H

#include "p2p.h"

/* ---- sending (protocol.c) -------------------------------------------------------------------- */

extern size_t proto_credit;
/* What a message costs in credit: its bytes, and its envelope with its place in the queues. */
static inline ptrdiff_t proto_cost(size_t len) { return (ptrdiff_t) len + 256; }

/* The packet of a message sent eagerly. What follows the tag of a plain packet is not looked at. */
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

int proto_send(struct adi3_request *r, int mode);
void proto_data(struct adi3_request *r, size_t len);
void proto_sent(struct adi3_request *r, int err); /* one of its parts is over */
void proto_fin(struct dev_peer *to, uint32_t sreq);
void proto_taken(struct adi3_proc *from, size_t len);

/* ---- receiving (receive.c, read.c) ----------------------------------------------------------- */

void proto_claim(struct adi3_request *r, struct match_message *u);
/* A receive has its message. What came before an error is not counted, nor unpacked. */
static inline void proto_finish(struct adi3_request *r, int err)
{
    if (err) {
        r->error = proc_error(proc_of(r->peer), err);
        r->got = 0;
    }
    request_done(r);
}
/* r has matched a message that was announced so. */
void proto_accept(struct adi3_request *r, const struct dev_pkt *rts, const void *payload);
extern struct progress_source read_source;
extern struct dev_send *proto_reads; /* messages that are to be read */

/* ---- layouts that travel (noncontig.c) ------------------------------------------------------- */

enum { NONCONTIG_MOST = 1024 }; /* bytes behind an RTS */
/* How many bytes; 0: nothing, as ranges are shorter than `least` on average or it is too long. */
size_t noncontig_write(const struct adi3_request *r, size_t least, void *to, size_t room);
/* The sender's memory; NULL: it is not such a message's. */
const struct dev_memory *noncontig_read(const void *payload, size_t bytes, size_t len);
void noncontig_free(const struct dev_memory *m);
void noncontig_finalize(void);
const struct dev_memory *noncontig_exposed(struct dev_peer *to, uint64_t key); /* an upcall */

/* ---- calls (pt2pt.c) ------------------------------------------------------------------------- */

/* r is new, or is started again; after an error of a send it may be freed. */
int pt2pt_send(struct adi3_request *r, const struct adi3_data *d, int mode);
void pt2pt_receive(struct adi3_request *r, const struct adi3_data *d, int mode);
/* Sends at once if it can: MPI_SUCCESS, DEV_AGAIN when it cannot, or an MPI error. */
int pt2pt_inject(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode);

/* ---- kinds of requests ----------------------------------------------------------------------- */

void persistent_end(struct adi3_request *r);  /* what is started is not needed any more */
int persistent_start(struct adi3_request *r); /* starts it again */
void bsend_left(struct adi3_request *r);      /* its bytes are needed no more */
void bsend_finalize(void);
void probe_broken(struct adi3_request *message, int err); /* its payload is lost */
void probe_drop(struct adi3_request *message);            /* it will not be received */
int cancel_receive(struct adi3_request *r);
int cancel_send(struct adi3_request *r);
extern const struct p2p_packet cancel_packet, cancelled_packet;

/* ---- unexpected messages, collective tags, checks, watching ---------------------------------- */

struct match_message *unexpected_enqueue(struct adi3_queues *q, struct dev_peer *from,
                                         const struct dev_pkt *pkt,
                                         bool complete); /* NULL without memory */
void unexpected_free(struct match_message *u);
void unexpected_finalize(void);

/* As match_unexpected(), of a collective receive; NULL also when what was found differs. */
struct match_message *tag_unexpected(struct adi3_queues *q, int source, int tag);
/* The tag by which an unexpected message is to be matched instead; 0: there is none. */
int tag_arrives(const struct adi3_queues *q, const struct dev_pkt *pkt);

extern const char *check_setting;
int check_init(void);
void check_not_ready(const struct dev_pkt *pkt); /* sent ready, and no receive was posted */
void check_was_ready(struct adi3_request *r, const struct dev_pkt *pkt); /* r receives it now */

extern struct adi3_proc *watch_probed; /* the source of the last MPI_Probe in vain, or NULL */
void p2p_peer_lost(struct adi3_proc *p);
void watch_tick(void); /* the devices of all that are waited for look whether they live */

#endif /* P2P_IMPL_H */
