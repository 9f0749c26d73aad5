/* sock_impl.h — what the files of the sockets device share, all guarded by the ADI3 lock.
 *
 * A file calls only files below it:
 *
 *   sockets.c                     the table of functions, opening and closing, poll
 *   tick.c     listen.c           what time limits do; the listening socket
 *              handshake.c        the steps of the handshake, for dialer and acceptor
 *   send.c                        inject and send
 *   dial.c                        connecting to a peer: its addresses in turn, retries
 *   rx.c       probe.c            incoming packets; asking a silent host whether it is alive
 *   peer.c                        a peer: added, connected, closed, lost
 *   tx.c       attempts.c         outgoing packets; a peer's addresses and connection attempts
 *   unauthenticated.c             limits on connections of unauthenticated peers
 *   conn.c                        a connection: creation, state, events, end
 *   handshake_wire.c endpoint.c   messages of the handshake; endpoint addresses as text
 *   host_id.c                     which host this is
 *   state.c                       the state of the device, values of settings */
#ifndef SOCK_IMPL_H
#define SOCK_IMPL_H

#include <errno.h>
#include "devices/device.h"
#include "platform/ip.h"
#include "platform/os.h"

enum {
    SOCK_ADDRS = 16,    /* addresses of one host */
    SOCK_INJECT = 8192, /* bytes */
    SOCK_LISTENERS = 2, /* on loopback for a job on one node; and on all networks */
    /* bytes read at once: 16 KiB and a header; for a larger message a second call costs little */
    SOCK_BUFFER = 16384 + 512,
    SOCK_PLAIN = offsetof(struct dev_pkt, len),

    SOCK_VERSION = 2, /* of the stream of packets; the layout of the hello never changes */
    SOCK_NONCE = 32,
    SOCK_HELLO = 96,
    SOCK_MAC = 32,
    SOCK_RESULT = 8,

    SOCK_TICK_MS = 20,
    SOCK_STAGGER_MS = 1000,  /* after so long without an answer the next address is tried too */
    SOCK_BACKOFF_MS = 20,    /* first pause after all addresses failed; doubles */
    SOCK_BACKOFF_MAX = 1000, /* ms */
    SOCK_HELLO_MS = 10000,   /* an unauthenticated peer has so long to send its hello */
    SOCK_PROOF_MS = 60000,   /* and so long for its proof, since it may be computing */
    SOCK_CLOSE_MS = 2000,    /* close() waits so long for the peers' close packets */
    SOCK_HOST_CHECKS = 20,   /* how often dead hosts are looked for within the peer timeout */
};

/* ---- addresses ---- */

struct sock_endpoint {
    uint64_t host, net;   /* boot id and network namespace; 0: unknown */
    uint16_t port, probe; /* of the listener; the probe port, where nothing listens */
    int count;
    struct os_ip addr[SOCK_ADDRS];
};

void sock_endpoint_write(const struct sock_endpoint *endpoint, char text[DEV_ENDPOINT_MAX]);
int sock_endpoint_parse(const char *text, struct sock_endpoint *endpoint);

uint64_t sock_host_id(void);
uint64_t sock_net_id(void);

/* ---- handshake messages ---- */

enum sock_role { SOCK_DIALER = 1, SOCK_ACCEPTOR = 2 };

enum sock_result { /* the acceptor's answer to an authenticated dialer */
                   SOCK_ACCEPTED = 1,
                   SOCK_DUPLICATE,    /* another connection of this pair is used */
                   SOCK_PEER_LOST,    /* the acceptor has reported the dialer as lost */
                   SOCK_INCOMPATIBLE, /* another version or byte order */
};

struct sock_name { /* of a process on the wire */
    uint64_t job;
    int rank;
};

struct sock_hello {
    enum sock_role role;
    struct sock_name from, to;
    unsigned char nonce[SOCK_NONCE]; /* random, so that no proof can be used twice */
    bool compatible; /* set by parse: version, byte order and header are those of this process */
};

struct sock_transcript { /* both hellos of a connection, as they went over the wire */
    unsigned char dialer[SOCK_HELLO], acceptor[SOCK_HELLO];
};

void sock_hello_write(const struct sock_hello *h, unsigned char out[SOCK_HELLO]);
int sock_hello_parse(const unsigned char in[SOCK_HELLO], struct sock_hello *h); /* -EPROTO */
/* The proof of the process in this role: it knows the secret and has seen both hellos. */
void sock_proof_make(const unsigned char secret[DEV_SECRET], enum sock_role role,
                     const struct sock_transcript *transcript, unsigned char mac[SOCK_MAC]);
bool sock_proof_is_valid(const unsigned char secret[DEV_SECRET], enum sock_role role,
                         const struct sock_transcript *transcript,
                         const unsigned char mac[SOCK_MAC]);
void sock_result_write(enum sock_result answer, unsigned char out[SOCK_RESULT]);
int sock_result_parse(const unsigned char in[SOCK_RESULT]); /* enum sock_result, or -EPROTO */

/* ---- connections ---- */

enum conn_state {
    CONN_LISTENER,
    CONN_PROBING,         /* asks whether the host of a silent attempt is alive */
    CONN_CONNECTING,      /* dialer: TCP is connecting */
    CONN_HELLO_SENT,      /* dialer: its hello is sent */
    CONN_PROOF_SENT,      /* dialer: its proof is sent; the peer may take this for connected */
    CONN_UNAUTHENTICATED, /* acceptor: no hello has come */
    CONN_PROOF_AWAITED,   /* acceptor: its hello and proof are sent */
    CONN_UP,
    CONN_CLOSING, /* the close packet is sent, that of the peer is awaited */
    CONN_DEAD,    /* closed; freed at the end of poll */
};

struct conn {
    struct conn *next, *prev; /* oldest first */
    struct sock_peer *peer;   /* NULL: not known yet, or no longer its connection */
    int fd;
    enum conn_state state;
    bool watch_write;      /* epoll reports room to write */
    bool blocked;          /* the socket was full; set by sock_conn_block */
    struct conn *probe;    /* of an attempt: its probe; of a probe: its attempt */
    struct os_ip to;       /* of an attempt */
    int error;             /* of writing; reported when all that came before is read */
    uint64_t since;        /* ns: start of this state */
    uint64_t silent_since; /* ns: since when its host owes an answer; 0: it does not */

    struct sock_transcript transcript;
    /* what has arrived of the next message of the handshake */
    unsigned char in[SOCK_HELLO + SOCK_MAC];
    size_t in_len;
    const struct dev_job *claimed_job; /* CONN_PROOF_AWAITED: the process in its hello */
    int claimed_rank;

    /* receiving: the beginning of a header, or the rest of a payload */
    unsigned char head[sizeof(struct dev_pkt)];
    size_t head_len;
    bool in_payload;
    uint64_t left; /* bytes of the payload still to come */
    size_t filled; /* bytes in the target */
    struct dev_target target;

    /* sending: the part of an injected packet that did not fit the socket; malloc'd, NULL: none */
    char *unsent;
    size_t unsent_len, unsent_at;
};

enum { SOCK_ATTEMPTS = SOCK_ADDRS + 2 }; /* with loopback of IPv4 and IPv6 */

struct sock_dial {                  /* while a peer is dialed */
    struct os_ip to[SOCK_ATTEMPTS]; /* likely ones first */
    int count, next;                /* address to try next */
    uint16_t port, probe;
    struct conn *attempt[SOCK_ATTEMPTS]; /* attempts under way; one alone from its proof on */
    int attempts;
    bool proof_sent;          /* on one attempt: the peer may take it for connected */
    int error;                /* of the last attempt that failed */
    bool refused;             /* every failure of this round was a refusal */
    bool alive;               /* the peer's host has answered in this round */
    uint64_t since, retry_at; /* ns; since: start of the first round without an answer */
    uint64_t backoff_ms;
};

struct sock_peer { /* dev_peer.priv */
    struct sock_peer *next, *prev;
    struct dev_peer *peer;
    struct conn *up;
    struct sock_dial *dial;
    struct dev_send *queue, **tail;
    bool flushing;   /* done() may send: what it queues is written by the running flush */
    int lost;        /* the error to answer with; 0: not lost */
    struct os_ip at; /* its address: connected, or the first to try */
};

struct sock_device {
    const struct dev_env *env;
    int epoll;
    struct conn *listener[SOCK_LISTENERS];
    int probe[SOCK_LISTENERS]; /* sockets of the probe ports */
    int listeners;             /* how many there are */
    bool wide;                 /* one listens on all networks, not only on loopback */
    int spare;                 /* a descriptor that is closed when no other is free */
    uint64_t host, net;
    struct os_iface iface[SOCK_ADDRS];
    int ifaces;
    struct sock_peer *peers;
    struct conn *conns, *conns_last; /* all but those in state DEAD, oldest first */
    struct conn *dead;
    struct conn *hot;         /* the last that received something; NULL: not lately */
    int count[CONN_DEAD + 1]; /* connections in each state */
    int unauthenticated_max;
    int dials;     /* peers that are dialed */
    int blocked;   /* connections that wait for room to write */
    bool received; /* hot has received since update_hot */
    unsigned turn;
    unsigned skip, skipped; /* polls that are skipped now, of so many */
    uint64_t hot_since, last_clock, last_look, last_tick, next_tick, next_watch; /* ns */
    char *buffer; /* SOCK_BUFFER bytes, and before them room for the beginning of a header */
};

extern struct sock_device sock_dev;

static inline size_t sock_at_once(void) /* bytes to move in one poll */
{
    return sock_dev.env->at_once ? sock_dev.env->at_once : SIZE_MAX;
}

/* Values of the settings. */
extern const char *sock_interface;
extern size_t sock_eager_max, sock_socket_buffer;

static inline uint64_t sock_ms(uint64_t ms) { return ms * 1000000u; }
static inline uint64_t sock_timeout_ns(void) /* ns; 0: for ever */
{
    return (uint64_t) sock_dev.env->peer_timeout_s * 1000000000u;
}

/* ---- conn.c ---- */

/* Takes over fd, also when it fails (NULL). */
struct conn *sock_conn_new(int fd, enum conn_state state);
void sock_conn_state(struct conn *c, enum conn_state state);
/* Asks for events: readable always, writable if write. */
int sock_conn_watch(struct conn *c, bool write);
void sock_conn_block(struct conn *c, bool blocked);
void sock_conn_close(struct conn *c);
void sock_conn_reset(struct conn *c); /* before the close: unsent data does not hold up the end */
void sock_conn_reap(void);            /* frees what was closed */
int sock_socket_options(int fd);
/* Sends a message of the handshake, for which the socket's buffer always has room. */
int sock_conn_send(struct conn *c, const void *data, size_t len);
bool sock_is_shortage(int err); /* this process lacks memory or descriptors: not the peer's fault */

/* ---- unauthenticated.c ---- */

int sock_unauthenticated(void); /* how many connections are in the first steps of the handshake */
int sock_unauthenticated_limit(void);
/* Closes the connection that is the least likely to be a peer's; false if there is none. */
bool sock_evict_unauthenticated(void);

/* ---- tx.c ---- */

static inline size_t sock_head_len(const struct dev_pkt *pkt)
{
    return pkt->flags & DEV_PLAIN ? SOCK_PLAIN : sizeof *pkt;
}

/* Returns bytes written, 0 when the socket has no room, or a negative errno. */
ssize_t sock_write_iov(struct conn *c, struct iovec *v, int nranges);
/* The result of a write that failed with errno: 0 when there was no room, or a negative errno. */
int sock_write_failed(struct conn *c);
/* Copies all but the first `sent` bytes of the ranges to be written later. */
int sock_save_unsent(struct conn *c, const struct iovec *v, int nranges, size_t sent);
bool sock_flush(struct sock_peer *p); /* writes what is queued; true if anything was written */
/* For a connection in state UP that was taken from its peer: sends the close packet. */
void sock_send_close(struct conn *c);
void sock_send_close_more(struct conn *c); /* state CLOSING: the socket has room again */

/* ---- attempts.c ---- */

void sock_order_addresses(struct sock_dial *d, const struct sock_endpoint *endpoint);
struct os_ip sock_first_address(const struct sock_endpoint *endpoint);
void sock_attempt_remove(struct sock_dial *d, const struct conn *c);
void sock_dial_keep(struct sock_peer *p, struct conn *keep); /* closes the other attempts */
void sock_dial_end(struct sock_peer *p);

/* ---- peer.c ---- */

int sock_add_peer(struct dev_peer *peer);
void sock_del_peer(struct dev_peer *peer);
void sock_describe(const struct dev_peer *peer, char *text, size_t len);
/* Asks ADI3 if it is not there; NULL: not reached by this device. */
struct sock_peer *sock_peer_find(const struct dev_job *job, int rank);
void sock_peer_up(struct sock_peer *p, struct conn *c);
void sock_peer_lose(struct sock_peer *p, int err); /* afterwards p may be freed */
void sock_peer_closed(struct sock_peer *p); /* the close packet came; afterwards p may be freed */
void sock_peer_fail_queue(struct sock_peer *p, int err);

/* ---- rx.c ---- */

bool sock_receive(struct conn *c);     /* true if anything came */
void sock_await_close(struct conn *c); /* state CLOSING: drops what comes, closes at its end */

/* ---- probe.c ---- */

uint64_t sock_probe_after(void); /* ns: an attempt is silent for so long before its host is asked */
/* Starts a probe of the attempt's host unless one is under way. True if there is no need: the host
 * is alive, or this process lacks what a probe needs, which says nothing of the host. */
bool sock_probe(struct conn *attempt);
/* Takes the result of a probe: whether the host is alive. */
bool sock_probe_found_host(struct conn *probe);

/* ---- dial.c ---- */

int sock_dial(struct sock_peer *p); /* starts, unless it is under way */
void sock_watch(struct dev_peer *peer);
void sock_dial_failed(struct conn *c, int err);         /* -EAGAIN: but its host is alive */
void sock_dial_probe(struct conn *c);                   /* asks the host of a silent attempt */
void sock_dial_probed(struct conn *probe);              /* the probe has a result */
bool sock_dial_tick(struct sock_peer *p, uint64_t now); /* true if p was lost, and may be freed */

/* ---- send.c ---- */

int sock_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
void sock_send(struct dev_peer *to, struct dev_send *op);

/* ---- handshake.c, listen.c, tick.c ---- */

void sock_handshake_step(struct conn *c); /* the next step, if its message has come */
/* Opens one more listener and its probe port, and sets the ports of the endpoint. */
int sock_listen(bool loopback, struct sock_endpoint *endpoint);
void sock_accept(struct conn *listener);
void sock_tick(uint64_t now);

#endif /* SOCK_IMPL_H */
