/* ofi_impl.h — what the files of the libfabric module share, all guarded by the ADI3 lock.
 *
 * A file calls only files below it:
 *
 *   module.c                  the table of functions, opening and closing, poll
 *   close.c    watch.c        the orderly end; is a silent peer alive?
 *   unacked.c                 data that no peer acknowledges
 *   cq.c                      completions and their errors
 *   rx.c                      messages that arrive
 *   loss.c                    a peer's end: deleted or lost
 *   tx.c       rma.c          messages that are sent; a peer's memory
 *   atomic.c   memory.c       atomic operations of the provider; memory that peers may use
 *   peer.c                    a peer: added, found, its address
 *   reorder.c  watch_socket.c messages that came too early; sockets to the kernels of peers
 *   fabric.c   provider.c     the objects of libfabric; which provider and domain
 *   endpoint.c cookie.c       endpoint addresses as text; the mark of this job's messages
 *   text.c     state.c        texts of errors; the state of the device */
#ifndef OFI_IMPL_H
#define OFI_IMPL_H

#include <errno.h>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stddef.h>
#include "devices/device.h"
#include "devices/libfabric/ofi_front.h"
#include "platform/os.h"

enum {
    OFI_MESSAGE_MAX =
        16384,           /* bytes of a message on the wire, at most: above it, ofi_rxm reorders */
    OFI_RECEIVES = 64,   /* buffers posted for messages */
    OFI_IN_FLIGHT = 16,  /* tracked messages to one peer that are not sent yet */
    OFI_BUFFERS = 512,   /* send buffers; beyond, a peer gets one only if it has none in flight */
    OFI_WINDOW = 128,    /* unacknowledged messages to one peer: providers store them */
    OFI_ADDRESS = 64,    /* bytes of an address */
    OFI_PROVIDER = 48,   /* characters of a provider's name */
    OFI_TEXT = 256,      /* characters of an error text */
    OFI_CLOSE_MS = 2000, /* close() waits so long for the peers' close messages */
};

/* ---- the wire ---- */

enum ofi_kind {
    OFI_PACKET,    /* dev_pkt (of a plain one its beginning) and the first bytes of its payload */
    OFI_FRAGMENT,  /* more bytes of its payload */
    OFI_CLOSE,     /* the sender sends no more; has a sequence number, like those above */
    OFI_CLOSE_ACK, /* the answer to OFI_CLOSE */
    OFI_ACK,       /* only acknowledges */
    OFI_PING,      /* nothing: the provider may report that it cannot be delivered */
    OFI_RESET,     /* the sender has lost the receiver */
    OFI_KINDS
};

enum { OFI_KIND_BITS = 3, OFI_PLAIN = offsetof(struct dev_pkt, len) };

struct ofi_head { /* in front of every message */
    uint64_t cookie;
    uint64_t job;      /* of the sender: dev_job.id */
    uint32_t sequence; /* number of the message, for each pair and direction */
    uint32_t acked;    /* how many messages of the other direction have come */
    uint32_t from;     /* its rank << OFI_KIND_BITS | kind */
    uint32_t pad;
};

uint64_t ofi_hash(const unsigned char key[16], const void *data, size_t len); /* SipHash-2-4 */
struct ofi_name { /* of a process on the wire */
    uint64_t job;
    int rank;
};

/* The mark of messages of one process to another, which only processes of their jobs can
 * compute. */
uint64_t ofi_cookie(const unsigned char secret[DEV_SECRET], struct ofi_name from,
                    struct ofi_name to);

struct ofi_endpoint {
    char provider[OFI_PROVIDER];
    uint32_t format; /* FI_SOCKADDR_IN, ... */
    uint32_t mode;   /* must be equal in both processes: enum ofi_mode */
    /* The watch port and the probe port, see watch.c; 0: none. */
    uint16_t port, probe;
    size_t len;
    unsigned char address[OFI_ADDRESS];
};

enum ofi_mode { OFI_VIRTUAL = 1 /* remote addresses are virtual addresses */, OFI_BIG_ENDIAN = 2 };

int ofi_endpoint_write(const struct ofi_endpoint *endpoint,
                       char text[DEV_ENDPOINT_MAX]);                     /* -ENAMETOOLONG */
int ofi_endpoint_parse(const char *text, struct ofi_endpoint *endpoint); /* -EPROTO */

/* A provider without virtual addresses uses offsets. They begin here, because address 0 means
 * "none" to ADI3. */
enum { OFI_OFFSET = 4096 };

/* ---- operations of the provider ---- */

enum ofi_op_kind { OFI_OP_SEND, OFI_OP_RECEIVE, OFI_OP_RMA };

struct ofi_op {
    struct fi_context2 provider; /* for its own use; must be first */
    enum ofi_op_kind kind;
};

struct ofi_buf { /* one message, being sent or posted for receiving */
    struct ofi_op op;
    struct ofi_buf *next;
    struct ofi_peer *to;
    void *desc;
    size_t len;
    OS_ALIGNED char bytes[OFI_MESSAGE_MAX];
};

struct ofi_slab { /* buffers are allocated in slabs */
    struct ofi_slab *next;
    struct fid_mr *mr; /* NULL: the provider needs no registration of local memory */
    int count;
    struct ofi_buf buf[];
};

struct ofi_rma { /* an RMA read or write, or an atomic operation, under way */
    struct ofi_op op;
    struct ofi_rma *next, **back;
    struct ofi_peer *peer;
    struct dev_get *get; /* all NULL: the peer is lost and the error is reported */
    struct dev_put *put;
    struct dev_atomic *atomic;
    uint64_t addr, key; /* addr: as the provider counts */
    char *local;        /* contiguous local memory; or `staged`, with the chunk under way */
    char *staged;       /* NULL: local memory is contiguous, and it is no atomic operation */
    size_t len;
    struct fid_mr *local_mr,
        *mr;            /* mr: the former, if it was registered for this operation alone */
    size_t done, asked; /* bytes moved; bytes of the chunk under way, 0: the provider had no room */
};

struct ofi_early { /* a message that came before an earlier one */
    struct ofi_early *next;
    uint32_t sequence;
    enum ofi_kind kind;
    size_t len;
    char bytes[];
};

struct ofi_peer {                /* dev_peer.priv; lives until close(), or until it is forgotten */
    struct dev_peer *peer;       /* NULL when it has been deleted */
    bool forgotten;              /* and is freed when nothing is in flight any more */
    struct ofi_peer *next;       /* in the list of all */
    const struct dev_node *node; /* see dev_peer */
    int local;
    struct ofi_endpoint endpoint;
    fi_addr_t address;              /* FI_ADDR_NOTAVAIL until the first message */
    uint64_t cookie_out, cookie_in; /* of messages to it and from it */
    uint32_t sent, acked;           /* messages to it, and how many it has acknowledged */
    uint32_t received, ack_sent;    /* messages from it, and how many are acknowledged */
    int lost;                       /* the error to answer with; 0: not lost */
    int error;                      /* it will be lost at the next poll; 0: not */
    char error_text[OFI_TEXT];

    struct dev_send *queue, **tail;
    bool flushing, blocked; /* blocked: in the list ofi_dev.blocked */
    struct ofi_peer *next_blocked;
    int in_flight;

    struct ofi_early *early; /* by sequence number */
    int early_count;
    bool partial; /* a packet is incomplete */
    struct dev_target target;
    uint64_t payload, filled;

    bool close_sent, close_acked;       /* of this process's OFI_CLOSE */
    bool close_received, close_ack_due; /* of the peer's; due: OFI_CLOSE_ACK is still to be sent */

    uint32_t arrivals, arrivals_before; /* messages; how many at the last watch() */
    uint64_t silent_since, pinged_at;   /* ns */
    uint64_t watched_at, probed_at;     /* ns: last watch(), last connection to its ports */
    uint64_t alive_at;                  /* ns: it or its host last answered */
    int watch;                          /* a connection to its watch port; -1: none */
    int probe;                          /* a connection to its probe port; -1: none */
    bool watched;                       /* watch is established */
    /* ns: a connection to it or its host has ended by the peer timeout, which is why it fails, if
     * it does until then; 0: none has. */
    uint64_t suspected_until;
    uint64_t reset_until; /* ns: how long OFI_RESET is tried at the lost peer; 0: not at all */
};

struct ofi_job { /* the peers of a job */
    const struct dev_job *job;
    struct ofi_job *next;
    struct ofi_peer *peer[]; /* by rank, NULL: not known yet */
};

struct ofi_unacked { /* what a socket of the provider repeats, see unacked.c */
    uint64_t since;  /* ns: when it was first seen so; 0: it repeats nothing */
    uint64_t acked;  /* bytes that had been acknowledged then */
};

struct ofi_device {
    const struct dev_env *env;
    const struct ofi_settings *settings;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_cq *cq;
    struct fid_av *av;
    struct fid_ep *ep;
    int cq_fd, epoll, watches, listener; /* -1: none */
    int probe;                           /* socket of the probe port; -1: none */
    int watching;                        /* connections in the epoll set watches */
    struct ofi_endpoint endpoint;
    bool loopback;        /* it is at the loopback interface */
    struct ofi_job *jobs; /* the one that a message came from last is the first */
    struct ofi_peer *peers;
    struct ofi_peer *blocked;
    struct ofi_slab *slabs;
    struct ofi_buf *free, *unposted;
    int buffers, in_flight;
    struct ofi_rma *rma;
    bool can_put;                              /* the provider writes, and tells of delivery */
    bool can_atomic;                           /* it has atomic operations ... */
    bool atomic_delivery;                      /* ... and tells of their delivery */
    size_t atomic_room[DEV_TYPES][DEV_OPS][2]; /* elements; [1]: that fetch */
    size_t inject_size;                        /* bytes that fi_inject takes */
    bool retry_needed, peer_failed; /* an RMA or receive found no room; a peer has an error */
    bool starved;                   /* the provider had no room for a message of a blocked peer */
    bool hot, moved;                /* moved: something, since the clock was last read */
    unsigned turn;
    uint64_t last_look, last_moved, last_watch, last_unacked; /* ns */
    struct ofi_unacked *unacked;                              /* by descriptor */
    int unacked_count;
    char error_text[OFI_TEXT];
};

extern struct ofi_device ofi_dev;

static inline bool ofi_needs(uint64_t mr_mode)
{
    return ((uint64_t) (unsigned) ofi_dev.info->domain_attr->mr_mode & mr_mode) != 0;
}

/* ---- state.c, text.c, provider.c ---- */

void ofi_reset(const struct dev_env *env); /* everything is closed; settings stay */
const char *ofi_error_text(const struct dev_peer *peer);
/* Keeps the text for ofi_error_text(NULL) and returns a negative errno. */
int ofi_error(const char *what, int err);
int ofi_errno(int err); /* of libfabric's positive or negative error */
/* Writes into out, for an error that a completion reported. */
void ofi_cq_text(char out[OFI_TEXT], const struct fi_cq_err_entry *e);
int ofi_no_provider(struct fi_info *offered);
int ofi_choose_provider(bool alone);

/* ---- fabric.c ---- */

int ofi_open_fabric(void);
void ofi_close_fabric(void);
int ofi_register(const void *mem, size_t len, uint64_t access, uint64_t key, struct fid_mr **mr);
struct ofi_buf *ofi_buf_new(void); /* NULL: no memory */
/* Hands the provider a buffer for the next message; poll tries again if it has no room for it. */
void ofi_post_receive(struct ofi_buf *b);

/* ---- reorder.c ---- */

/* Keeps a copy of a message. -EPROTO: it is here already, or too many are waiting; -ENOMEM. */
int ofi_early_add(struct ofi_peer *p, const struct ofi_head *head, const char *bytes, size_t len);
/* Takes out the message whose turn it is, which the caller frees; NULL: it has not come. */
struct ofi_early *ofi_early_next(struct ofi_peer *p);
/* Drops the messages that wait, and ends an incomplete packet with err. */
void ofi_drop_incoming(struct ofi_peer *p, int err);

/* ---- peer.c ---- */

int ofi_add_peer(struct dev_peer *peer);
/* The peers of the job with this id; NULL: there is none, or no memory. */
struct ofi_job *ofi_job_find(uint64_t id);
/* Asks ADI3; NULL: not reached by this device. */
struct ofi_peer *ofi_peer_find(struct ofi_job *job, int rank);
uint64_t ofi_cookie_from(const struct dev_job *job, int rank); /* of its messages to us */
int ofi_peer_reach(struct ofi_peer *p); /* enters its address in the address vector */

/* Why nothing more can be sent to it; 0: it can. */
static inline int ofi_peer_error(const struct ofi_peer *p)
{
    if (p->lost)
        return p->lost;
    return p->error;
}

void ofi_peer_mark_failed(struct ofi_peer *p, int err, const char *text); /* poll will lose it */
bool ofi_any_peer_lost(void);
void ofi_free_peers(void);

/* ---- tx.c ---- */

int ofi_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
void ofi_send(struct dev_peer *to, struct dev_send *op);
/* Sends a message that is a header alone, or returns DEV_AGAIN or a negative errno. */
int ofi_send_control(struct ofi_peer *p, enum ofi_kind kind);
void ofi_send_done(struct ofi_buf *b);
void ofi_ack_if_due(struct ofi_peer *p);   /* half of the window has come since the last ack */
void ofi_mark_blocked(struct ofi_peer *p); /* ofi_flush sends what could not be sent now */
bool ofi_flush(void);

/* ---- atomic.c ---- */

void ofi_atomic_query(void); /* fills the table of rooms */
size_t ofi_atomic_room(enum dev_type type, enum dev_op op, bool fetches);
size_t ofi_atomic_len(const struct dev_atomic *op); /* bytes of `staged` */
ssize_t ofi_atomic_start(struct ofi_rma *r, void *desc);
void ofi_atomic_result(const struct ofi_rma *r); /* gives ADI3 what was fetched */

/* ---- rma.c ---- */

void ofi_get(struct dev_peer *from, struct dev_get *op);
void ofi_put(struct dev_peer *to, struct dev_put *op);
void ofi_atomic(struct dev_peer *to, struct dev_atomic *op);
void ofi_rma_done(struct ofi_rma *r, int err);
bool ofi_rma_more(void);
void ofi_drop_rma(struct ofi_peer *p, int err);
void ofi_free_rma(void);

/* ---- memory.c ---- */

int ofi_expose(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
               void **handle);
void ofi_unexpose(void *handle);
int ofi_register_memory(const struct iovec *mem, uint64_t *addr, uint64_t *key, void **handle);
void *ofi_alloc_mem(size_t align, size_t len);
bool ofi_free_mem(void *at);
/* The registration of the allocated region that contains the memory; the first call registers the
 * region. NULL: no region contains the memory, or the region cannot be registered. */
struct fid_mr *ofi_region_mr(const void *at, size_t len);
void ofi_regions_close(void);  /* ends all registrations; the memory stays */
void ofi_regions_forget(void); /* likewise, when the domain could not be closed */

/* ---- watch_socket.c ---- */

void ofi_watch_open(void); /* sets the endpoint's ports, or 0 where there can be none */
void ofi_watch_close(void);
void ofi_watch_connect(struct ofi_peer *p, uint64_t now); /* to both ports of the peer */
void ofi_watch_disconnect(struct ofi_peer *p);            /* from the one that listens */
void ofi_watch_end(struct ofi_peer *p);                   /* from both */
int ofi_watch_take_error(int fd);
bool ofi_watch_host_is_alive(struct ofi_peer *p);

/* ---- loss.c ---- */

void ofi_del_peer(struct dev_peer *peer);
void ofi_forget_peer(struct dev_peer *peer);
void ofi_forget_job(const struct dev_job *job);
void ofi_peer_lose(struct ofi_peer *p, int err, const char *text);
bool ofi_lose_failed_peers(void);

/* ---- unacked.c ---- */

bool ofi_unacked_poll(uint64_t now); /* looks, when it is time, and loses a peer */
void ofi_unacked_close(void);

/* ---- rx.c, cq.c, watch.c, close.c ---- */

void ofi_message_arrived(const char *bytes, size_t len);
bool ofi_cq_poll(void);
void ofi_watch(struct dev_peer *peer);
bool ofi_watch_poll(void);
void ofi_close_peers(void); /* returns when every peer has closed too, or time is over */

#endif /* OFI_IMPL_H */
