/* dial.c — connecting to the port of another process: by its local socket, where that is on this
 * node and of this user, else by its addresses, side by side.
 *
 * The first address that proves that it knows the key is used, and the others are given up. A
 * connection that ends before its turn is tried again: the process may have no place for it. */
#include <errno.h>
#include <string.h>
#include "adi3/port/port_impl.h"

enum {
    PAUSE_MS = 20, /* before an address is tried again; doubles */
    PAUSE_MAX_MS = 1000,
    SILENT_MS = 5000, /* an address that does not answer, where another one refuses */
};

struct attempt {
    struct port_conn c;
    int error;         /* why it is not tried again: a negative errno; 0: it is */
    uint64_t at;       /* when it is tried again */
    uint64_t pause_ms; /* and how long it paused before */
};

struct dial {
    struct port_name name;
    int first, end; /* the attempts under way: the local socket, which is 0, or the addresses */
    int shortage;   /* this process has no descriptor for any: a negative errno */
    int proven;     /* the one attempt that is left; -1: none */
    bool refused;   /* an address has answered that there is no port */
    struct attempt attempt[1 + PORT_ADDRESSES];
    struct os_iface here[PORT_ADDRESSES];
    int ifaces;
};

static const struct os_ip *address_of(const struct dial *d, int i)
{
    return i ? &d->name.address[i - 1] : NULL;
}

static bool is_shortage(int err)
{
    return err == -EMFILE || err == -ENFILE || err == -ENOMEM || err == -ENOBUFS;
}

static void attempt_fail(struct dial *d, int i, int err)
{
    static const int again[] = { -EAGAIN, -ECONNRESET, -EPIPE, -EINTR };
    struct attempt *a = &d->attempt[i];
    bool retry = is_shortage(err);

    port_conn_close(&a->c);
    d->proven = -1;
    if (retry)
        d->shortage = err;
    for (size_t k = 0; k < sizeof again / sizeof *again; k++)
        retry |= err == again[k];
    if (i && err == -ECONNREFUSED && os_ip_distance(address_of(d, i), d->here, d->ifaces) < 2)
        d->refused = true;
    if (!retry) {
        a->error = err;
        return;
    }
    a->at = os_time_ns() + port_ms(a->pause_ms);
    a->pause_ms = a->pause_ms < PAUSE_MAX_MS / 2 ? 2 * a->pause_ms : PAUSE_MAX_MS;
}

static void attempt_start(struct dial *d, int i)
{
    struct attempt *a = &d->attempt[i];
    char local[PORT_LOCAL];
    int fd;

    port_local_name(&d->name, local);
    fd = i ? os_ip_connect(address_of(d, i), d->name.ip_port) : os_abstract_try(local);
    a->c = (struct port_conn) {
        .fd = fd, .state = PORT_CONNECTING, .local = i == 0, .since = os_time_ns()
    };
    int err = fd < 0 ? fd : 0;
    if (!err && i == 0)
        err = port_same_user(fd);
    if (!err)
        err = port_watch(fd, true);
    if (err)
        attempt_fail(d, i, err);
}

/* An address that has not answered for long, while another one has: that of a network which does
 * not lead to the process from here. */
static bool is_silent(const struct dial *d, const struct port_conn *c)
{
    return d->refused && c->state == PORT_CONNECTING
           && os_time_ns() >= c->since + port_ms(SILENT_MS);
}

static void attempt_serve(struct dial *d, int i)
{
    struct attempt *a = &d->attempt[i];

    if (a->c.state == PORT_CLOSED && os_time_ns() >= a->at)
        attempt_start(d, i);
    if (a->c.state == PORT_CLOSED)
        return;
    bool begun = a->c.state == PORT_CONNECTING;
    int err = port_handshake(&a->c, d->name.key);
    if (!err && is_silent(d, &a->c))
        err = -ETIMEDOUT;
    if (!err && begun && a->c.state != PORT_CONNECTING)
        err = port_watch(a->c.fd, false);
    if (err)
        attempt_fail(d, i, err);
}

/* One address has proved the key: the others are given up, until that one fails. */
static void attempt_prove(struct dial *d, int i)
{
    for (int k = d->first; k < d->end; k++)
        if (k != i)
            port_conn_close(&d->attempt[k].c);
    d->proven = i;
    int err = port_handshake_prove(&d->attempt[i].c, d->name.key);
    if (err)
        attempt_fail(d, i, err);
}

static uint64_t attempt_next(const struct dial *d, const struct attempt *a)
{
    return a->c.state == PORT_CLOSED                     ? a->at
           : d->refused && a->c.state == PORT_CONNECTING ? a->c.since + port_ms(SILENT_MS)
                                                         : UINT64_MAX;
}

static bool all_failed(const struct dial *d)
{
    int i = d->first;

    while (i < d->end && d->attempt[i].error)
        i++;
    return i == d->end;
}

static void serve_attempts(struct dial *d)
{
    bool open = false;

    d->shortage = 0;
    for (int i = d->first; i < d->end; i++) {
        struct attempt *a = &d->attempt[i];
        if (a->error || (d->proven >= 0 && d->proven != i))
            continue;
        attempt_serve(d, i);
        if (a->c.state == PORT_PROVEN)
            attempt_prove(d, i);
        open |= a->c.state != PORT_CLOSED;
    }
    if (open)
        d->shortage = 0;
}

static void serve_dial(void *arg)
{
    struct dial *d = arg;

    serve_attempts(d);
    if (d->first == 0 && all_failed(d)) {
        d->first = 1;
        d->end = 1 + (adi3_has_keys() ? d->name.count : 0);
        serve_attempts(d);
    }
    for (int i = d->first; i < d->end; i++)
        if (!d->attempt[i].error && (d->proven < 0 || d->proven == i))
            port_wait_until(attempt_next(d, &d->attempt[i]));
}

/* ---- connecting ------------------------------------------------------------------------------ */

/* Why the last of the attempts failed that says more than that nothing is there. */
static int dial_reason(const struct dial *d)
{
    int err = d->attempt[0].error;

    for (int i = 0; i <= d->name.count; i++)
        if (d->attempt[i].error && d->attempt[i].error != -ECONNREFUSED)
            err = d->attempt[i].error;
    return err;
}

static const char *reason_text(const struct dial *d)
{
    int err = dial_reason(d);

    if (err == -ECONNREFUSED && !d->name.count)
        return "no process of this node has it open, and without libsodium there it cannot be "
               "reached from others";
    if (err == -ECONNREFUSED && !adi3_has_keys())
        return "no process of this node has it open, and this process cannot load libsodium, "
               "without which it reaches no others";
    switch (-err) {
    case ECONNREFUSED:
        return "no process has it open";
    case EACCES:
        return "what is there is of another user, or has not proved that it knows the key";
    case EPROTO:
        return "what is there is no port of this library";
    case ELIBACC:
        return "one of the two processes cannot load libsodium, so it cannot prove that it knows "
               "the key";
    default:
        return strerror(-err);
    }
}

static int dial_error(const struct dial *d, bool late, int seconds)
{
    char label[MPI_MAX_PORT_NAME];

    (void) port_label(&d->name, label);
    if (d->shortage)
        return adi3_error(MPI_ERR_PORT, "connecting to the port %s: %s", label,
                          strerror(-d->shortage));
    if (d->first && all_failed(d))
        return adi3_error(MPI_ERR_PORT, "connecting to the port %s: %s", label, reason_text(d));
    return late ? adi3_error(MPI_ERR_PORT, "the port %s %s within %d seconds", label,
                             d->proven >= 0 ? "has not accepted" : "has not answered", seconds)
                : MPI_SUCCESS;
}

static bool take_link(struct dial *d, struct adi3_port_link *link)
{
    if (d->proven < 0 || d->attempt[d->proven].c.state != PORT_CONNECTED)
        return false;
    port_unwatch(d->attempt[d->proven].c.fd);
    link->fd = d->attempt[d->proven].c.fd;
    memcpy(link->key, d->name.key, ADI3_KEY);
    d->attempt[d->proven].c.fd = -1;
    return true;
}

static int dial_wait(struct dial *d, const struct adi3_port_wait *user, struct adi3_port_link *link)
{
    struct port_wait w = { .user = user, .serve = serve_dial, .arg = d };
    int err = port_wait_begin(&w, "a port to accept");
    bool late = false;

    if (err)
        return err;
    while (!err && !take_link(d, link)) {
        err = dial_error(d, late, user->seconds);
        if (!err)
            err = port_wait_turn(&w, &late);
    }
    for (int i = 0; i <= PORT_ADDRESSES; i++)
        port_conn_close(&d->attempt[i].c);
    port_wait_end(&w);
    return err;
}

int adi3_port_connect(const char *name, const struct adi3_port_wait *w, struct adi3_port_link *link)
{
    struct dial d = { .end = 1, .proven = -1 };
    char label[MPI_MAX_PORT_NAME];
    int err = port_name_parse(name, &d.name);

    assert(adi3_lock_held());
    if (err)
        return err;
    if (port_find(&d.name))
        return adi3_error(MPI_ERR_PORT,
                          "the port %s is of this process, which cannot connect to itself",
                          port_label(&d.name, label));
    d.ifaces = os_ifaces("", d.here, PORT_ADDRESSES);
    for (int i = 0; i <= PORT_ADDRESSES; i++)
        d.attempt[i] = (struct attempt) { .c.fd = -1, .pause_ms = PAUSE_MS };
    return dial_wait(&d, w, link);
}
