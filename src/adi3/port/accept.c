/* accept.c — the process of a port: connections come from a local socket and from addresses, prove
 * that they know the key, and are queued until an accept takes them.
 *
 * While no accept is under way nothing is served: connections wait in the backlog of the kernel,
 * and cost no time. What has proved nothing has one of a few places, for a short time; where there
 * are none left the oldest one goes. So a stranger keeps no process out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/port/port_impl.h"

enum {
    PLACE_MS = 50,     /* a place is sure for so long */
    ANSWER_MS = 20000, /* for a process that has proved the key, and may be computing */
    BATCH = 64,
};

static void conn_drop(struct port *p, struct port_conn *c)
{
    struct port_conn **at = &p->conns;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    port_conn_close(c);
    free(c);
}

static bool is_stranger(const struct port_conn *c)
{
    return c->state == PORT_NEW || c->state == PORT_AWAITS_CLIENT;
}

static int count_strangers(const struct port *p, struct port_conn **oldest)
{
    int n = 0;

    *oldest = NULL;
    for (struct port_conn *c = p->conns; c; c = c->next)
        if (is_stranger(c)) {
            *oldest = *oldest ? *oldest : c;
            n++;
        }
    return n;
}

/* ---- new connections ------------------------------------------------------------------------- */

/* The first bytes have mostly come already. Most proofs come later. */
static void conn_add(struct port *p, int fd, bool local)
{
    struct port_conn *c = malloc(sizeof *c), **last = &p->conns;

    if (!c) {
        (void) close(fd);
        return;
    }
    *c = (struct port_conn) { .fd = fd, .state = PORT_NEW, .local = local, .since = os_time_ns() };
    while (*last)
        last = &(*last)->next;
    *last = c;
    if ((local && port_same_user(fd)) || port_watch(fd, false)
        || port_handshake(c, p->name.key) < 0)
        conn_drop(p, c);
}

/* Whether there is a place for one more stranger: as long as it is not, the listeners rest. */
static bool find_place(struct port *p)
{
    struct port_conn *oldest;

    if (count_strangers(p, &oldest) < PORT_STRANGERS)
        return true;
    if (os_time_ns() < oldest->since + port_ms(PLACE_MS)) {
        port_wait_until(oldest->since + port_ms(PLACE_MS));
        return false;
    }
    conn_drop(p, oldest);
    return true;
}

/* False: none waits, or none can be taken. */
static bool conn_accept(struct port *p, int listener, bool local)
{
    struct port_conn *oldest;
    int fd = os_accept(listener);

    if (fd >= 0)
        conn_add(p, fd, local);
    else if (fd == -ECONNABORTED || fd == -EINTR)
        return true;
    else if (fd != -EAGAIN && count_strangers(p, &oldest))
        conn_drop(p, oldest);
    else if (fd != -EAGAIN)
        p->error = fd;
    return fd >= 0;
}

static void listeners_watch(struct port *p, bool watch)
{
    for (int i = 0; i < 2; i++)
        if (p->listener[i] >= 0 && watch)
            (void) port_watch(p->listener[i], false);
        else if (p->listener[i] >= 0)
            port_unwatch(p->listener[i]);
    p->full = !watch;
}

static void accept_all(struct port *p)
{
    bool place = true;

    for (int i = 0; i < 2 && place; i++)
        for (int n = 0; n < BATCH && (place = find_place(p)); n++)
            if (p->listener[i] < 0 || !conn_accept(p, p->listener[i], i == 0))
                break;
    if (place == p->full)
        listeners_watch(p, place);
}

/* ---- connections ----------------------------------------------------------------------------- */

static uint64_t conn_end(const struct port_conn *c)
{
    return is_stranger(c)            ? c->since + port_ms(PORT_STRANGER_MS)
           : c->state == PORT_CALLED ? c->since + port_ms(ANSWER_MS)
                                     : UINT64_MAX;
}

static void serve_conns(struct port *p)
{
    struct port_conn *next;

    for (struct port_conn *c = p->conns; c; c = next) {
        next = c->next;
        if (port_handshake(c, p->name.key) < 0 || os_time_ns() >= conn_end(c))
            conn_drop(p, c);
        else if (c->state == PORT_QUEUED || c->state == PORT_CONNECTED)
            port_unwatch(c->fd);
    }
}

static struct port_conn *first_in(const struct port *p, enum port_state state)
{
    struct port_conn *c = p->conns;

    while (c && c->state != state)
        c = c->next;
    return c;
}

/* Calls as many queued processes as there are accepts; skips those that have gone. */
static void call_queued(struct port *p)
{
    struct port_conn *c;
    int called = 0;

    for (c = p->conns; c; c = c->next)
        called += c->state == PORT_CALLED || c->state == PORT_CONNECTED;
    while (called < p->accepting && (c = first_in(p, PORT_QUEUED)))
        if (port_handshake_call(c) || port_watch(c->fd, false)
            || port_handshake(c, p->name.key) < 0)
            conn_drop(p, c);
        else
            called++;
}

static void serve_port(void *arg)
{
    struct port *p = arg;

    if (p->closed)
        return;
    accept_all(p);
    serve_conns(p);
    call_queued(p);
    for (const struct port_conn *c = p->conns; c; c = c->next)
        port_wait_until(conn_end(c));
}

/* ---- accepting ------------------------------------------------------------------------------- */

/* The first accept at a port starts the time of strangers that have come during the last one. */
static void accept_begin(struct port *p)
{
    p->refs++;
    p->error = 0;
    if (p->accepting++)
        return;
    listeners_watch(p, true);
    for (struct port_conn *c = p->conns; c; c = c->next)
        if (is_stranger(c)) {
            (void) port_watch(c->fd, false);
            c->since = os_time_ns();
        }
}

/* What has been called for an accept that is over goes: it will try again, or has failed. An accept
 * may have taken what was called for another one, which has a call to make, then. */
static void accept_end(struct port *p)
{
    struct port_conn *c;

    if (--p->accepting && !p->closed)
        call_queued(p);
    if (!p->accepting && !p->closed) {
        listeners_watch(p, false);
        for (c = p->conns; c; c = c->next)
            port_unwatch(c->fd);
        while ((c = first_in(p, PORT_CALLED)) || (c = first_in(p, PORT_CONNECTED)))
            conn_drop(p, c);
    }
    port_release(p);
}

static bool take_connected(struct port *p, struct adi3_port_link *link)
{
    struct port_conn *c = first_in(p, PORT_CONNECTED);

    if (!c)
        return false;
    port_unwatch(c->fd);
    link->fd = c->fd;
    memcpy(link->key, p->name.key, ADI3_KEY);
    c->fd = -1;
    conn_drop(p, c);
    return true;
}

static int accept_error(const struct port *p, bool late, int seconds)
{
    char label[MPI_MAX_PORT_NAME];

    (void) port_label(&p->name, label);
    if (p->closed)
        return adi3_error(MPI_ERR_PORT, "the port %s has been closed meanwhile", label);
    if (p->error)
        return adi3_error(MPI_ERR_PORT, "no connection can be taken at the port %s: %s", label,
                          strerror(-p->error));
    return late ? adi3_error(MPI_ERR_PORT,
                             "no process has connected to the port %s within %d seconds", label,
                             seconds)
                : MPI_SUCCESS;
}

static int accept_wait(struct port *p, const struct adi3_port_wait *user,
                       struct adi3_port_link *link)
{
    struct port_wait w = { .user = user, .serve = serve_port, .arg = p };
    int err = port_wait_begin(&w, "a process that connects to a port");
    bool late = false;

    if (err)
        return err;
    accept_begin(p);
    while (!err && !take_connected(p, link)) {
        err = accept_error(p, late, user->seconds);
        if (!err)
            err = port_wait_turn(&w, &late);
    }
    accept_end(p);
    port_wait_end(&w);
    return err;
}

int adi3_port_accept(const char *name, const struct adi3_port_wait *w, struct adi3_port_link *link)
{
    struct port *p;
    int err = port_of_name(name, &p);

    assert(adi3_lock_held());
    if (err)
        return err;
    return accept_wait(p, w, link);
}
