/* port_impl.h — shared between the files of src/adi3/port, and no others.
 *
 * A file calls only files below it:
 *
 *   accept.c   dial.c    the two ends: accepting at a port, connecting to one
 *   port.c               the table of this process's ports
 *   wait.c               waiting: a source of progress
 *   handshake.c          the bytes of both ends
 *   name.c               the name of a port as text */
#ifndef PORT_IMPL_H
#define PORT_IMPL_H

#include "adi3/port/port.h"
#include "adi3/progress/progress.h"
#include "platform/ip.h"

enum {
    PORT_VERSION = 1,
    PORT_ADDRESSES = 16,
    PORT_HELLO = 48,     /* bytes */
    PORT_QUEUE = 128,    /* requests that wait while no accept is under way */
    PORT_STRANGERS = 16, /* connections that have proved nothing yet */
    PORT_STRANGER_MS = 2000,
};

static inline uint64_t port_ms(uint64_t ms) { return ms * 1000000; }

/* ---- name.c ---------------------------------------------------------------------------------- */

struct port_name {
    unsigned char key[ADI3_KEY];
    uint64_t local;   /* of the socket for processes of the same node and user */
    uint16_t ip_port; /* 0: there are no addresses */
    int count;
    struct os_ip address[PORT_ADDRESSES]; /* likely ones first */
};

enum { PORT_LOCAL = 32 }; /* bytes of the name of a local socket */

void port_name_write(const struct port_name *n, char text[MPI_MAX_PORT_NAME]);
/* Errors: MPI_ERR_PORT. */
int port_name_parse(const char *text, struct port_name *n);
void port_local_name(const struct port_name *n, char text[PORT_LOCAL]);
/* What error texts call the port: its name without the key. */
const char *port_label(const struct port_name *n, char label[MPI_MAX_PORT_NAME]);

/* ---- handshake.c ----------------------------------------------------------------------------- */

enum port_state {
    PORT_CLOSED, /* no connection */
    /* the process that connects */
    PORT_CONNECTING,   /* its hello is not sent yet */
    PORT_AWAITS_PROOF, /* its hello is sent */
    PORT_PROVEN,       /* the other end has proved the key, and has not been asked to queue us */
    PORT_AWAITS_TURN,  /* its own proof is sent; it waits for its turn */
    /* the process of the port */
    PORT_NEW,           /* no hello has come */
    PORT_AWAITS_CLIENT, /* its hello and proof are sent */
    PORT_QUEUED,        /* the other end has proved the key; it waits for its turn */
    PORT_CALLED,        /* it has been told that its turn has come, and has not answered */
    /* both */
    PORT_CONNECTED,
};

struct port_conn {
    struct port_conn *next;
    int fd;
    enum port_state state;
    bool local; /* the kernel says that both ends are of one user of this node */
    uint64_t since;
    size_t in_len; /* of what has come of the next message */
    unsigned char in[PORT_HELLO + ADI3_KEY];
    unsigned char ours[PORT_HELLO], theirs[PORT_HELLO];
};

/* Takes the next steps, as far as their messages have come. Negative: an errno, after which the
 * caller closes the connection: -EACCES, the other end has not proved the key; -ELIBACC, one end
 * has no libsodium and the other does; -EPROTO, it is none of ours; -ECONNRESET, it has gone. */
int port_handshake(struct port_conn *c, const unsigned char key[ADI3_KEY]);
/* In PORT_PROVEN and PORT_QUEUED: what lets the other end go on. 0, or as before. */
int port_handshake_prove(struct port_conn *c, const unsigned char key[ADI3_KEY]);
int port_handshake_call(struct port_conn *c);
/* Whether both ends of a connected local socket are of one user: 0, -EACCES or an error. */
int port_same_user(int fd);
void port_conn_close(struct port_conn *c);

/* ---- wait.c ---------------------------------------------------------------------------------- */

/* A call that waits. serve() moves what the call waits for. It is called in the first turn, when a
 * watched descriptor has an event, and when a time has come that a serve() has set by
 * port_wait_until(). */
struct port_wait {
    struct port_wait *next;
    const struct adi3_port_wait *user;
    void (*serve)(void *arg);
    void *arg;
    bool begun;
    uint64_t end; /* UINT64_MAX: none */
    struct adi3_wait turn;
};

/* Errors: MPI_ERR_OTHER when there is no descriptor left. */
int port_wait_begin(struct port_wait *w, const char *what);
/* One turn, of which the first one does not wait. Sets *late when time is up. Errors: those of the
 * user's function. */
int port_wait_turn(struct port_wait *w, bool *late);
void port_wait_end(struct port_wait *w);
int port_watch(int fd, bool writable); /* 0 or a negative errno */
void port_unwatch(int fd);
void port_wait_until(uint64_t at); /* for serve() */
void port_waits_wake(void);        /* each looks once more at what it waits for */
extern struct progress_source port_source;

/* ---- port.c ---------------------------------------------------------------------------------- */

struct port { /* of this process */
    struct port *next;
    int refs;      /* of the table, and of each accept */
    bool closed;   /* it is no longer in the table */
    int accepting; /* calls that wait here */
    int error;     /* why no connection can be taken: a negative errno; 0: none */
    bool full;     /* the listeners are not watched */
    struct port_name name;
    int listener[2];         /* the local one; that of the addresses, or -1 */
    struct port_conn *conns; /* the oldest first */
};

struct port *port_find(const struct port_name *n); /* NULL: none of this process */
/* The open port of this process that has this name. Errors: MPI_ERR_PORT. */
int port_of_name(const char *text, struct port **p);
void port_release(struct port *p);

#endif /* PORT_IMPL_H */
