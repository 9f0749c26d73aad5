/* dial.c — connecting to a peer: all its addresses in turn, then a pause and the next round,
 * until the peer answers, has certainly ended, or the peer timeout is over. The next address is
 * tried without waiting for a silent one. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include "devices/sockets/sock_impl.h"

static int open_attempt(struct sock_peer *p, const struct os_ip *to)
{
    struct sockaddr_storage s;
    socklen_t len = os_ip_socket(to, p->dial->port, &s);
    int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int fd = os_new_fd(socket(s.ss_family, type, 0));

    if ((fd == -EMFILE || fd == -ENFILE) && sock_evict_unauthenticated())
        fd = os_new_fd(socket(s.ss_family, type, 0));
    if (fd < 0)
        return fd;
    int err = sock_socket_options(fd);
    if (!err && connect(fd, (struct sockaddr *) &s, len) && errno != EINPROGRESS)
        err = -errno;
    if (err) {
        (void) close(fd);
        return err;
    }
    struct conn *c = sock_conn_new(fd, CONN_CONNECTING);
    if (!c)
        return -ENOMEM;
    c->peer = p;
    c->to = *to;
    p->dial->attempt[p->dial->attempts++] = c;
    return 0;
}

static void note_failure(struct sock_dial *d, int err)
{
    d->error = err;
    if (err != -ECONNREFUSED)
        d->refused = false;
}

/* Starts the next attempt that can be started. Errors: this process lacks memory or descriptors. */
static int next_attempt(struct sock_peer *p, uint64_t now)
{
    struct sock_dial *d = p->dial;

    while (d->next < d->count) {
        int rc = open_attempt(p, &d->to[d->next++]);
        if (!rc) {
            d->retry_at = now + sock_ms(SOCK_STAGGER_MS);
            return 0;
        }
        if (sock_is_shortage(rc))
            return d->attempts ? 0 : rc;
        note_failure(d, rc);
    }
    return 0;
}

/* Sets the time of the next step: at once if there is another address, or if all were refused
 * and the peer is to be reported as lost. Otherwise the next round begins after a pause. */
static void dial_schedule(struct sock_dial *d, uint64_t now)
{
    d->retry_at = now;
    if (d->next < d->count || d->refused)
        return;
    d->backoff_ms = d->backoff_ms ? d->backoff_ms * 2 : SOCK_BACKOFF_MS;
    if (d->backoff_ms > SOCK_BACKOFF_MAX)
        d->backoff_ms = SOCK_BACKOFF_MAX;
    d->retry_at = now + sock_ms(d->backoff_ms);
}

int sock_dial(struct sock_peer *p)
{
    struct sock_endpoint endpoint;

    if (p->dial)
        return 0;
    if (!p->peer->endpoint || sock_endpoint_parse(p->peer->endpoint, &endpoint))
        return -EHOSTUNREACH;
    if (!(p->dial = calloc(1, sizeof *p->dial)))
        return -ENOMEM;
    sock_dev.dials++;
    sock_order_addresses(p->dial, &endpoint);
    p->dial->since = os_time_ns();
    p->dial->refused = true;
    p->dial->error = -EHOSTUNREACH;
    int rc = next_attempt(p, p->dial->since);
    if (rc)
        sock_dial_end(p);
    else if (!p->dial->attempts)
        dial_schedule(p->dial, p->dial->since);
    return rc;
}

/* Connects to the peer, so that its end is seen: the connection ends, or cannot be made. An
 * error of this process says nothing of the peer; the next call tries again. */
void sock_watch(struct dev_peer *peer)
{
    struct sock_peer *p = peer->priv;

    if (!p->up && !p->lost)
        (void) sock_dial(p);
}

/* A peer that ends the connection, perhaps for lack of descriptors, is alive. The next step is
 * left to sock_dial_tick, because an upcall may be running now. */
void sock_dial_failed(struct conn *c, int err)
{
    struct sock_dial *d = c->peer->dial;

    sock_attempt_remove(d, c);
    if (c->state == CONN_PROOF_SENT)
        d->proof_sent = false;
    sock_conn_close(c);
    note_failure(d, err);
    if (err == -EAGAIN || err == -ECONNRESET || err == -EPIPE)
        d->alive = true;
    if (d->next < d->count || !d->attempts)
        dial_schedule(d, os_time_ns());
    sock_dev.next_tick = 0;
}

void sock_dial_probe(struct conn *c)
{
    if (sock_probe(c))
        sock_dial_failed(c, -EAGAIN);
}

void sock_dial_probed(struct conn *probe)
{
    if (sock_probe_found_host(probe))
        sock_dial_failed(probe->probe, -EAGAIN);
    else
        sock_conn_close(probe);
}

static bool is_late(const struct sock_dial *d, uint64_t now)
{
    return sock_timeout_ns() && !d->alive && now > d->since + sock_timeout_ns();
}

/* Gives up attempts that are silent for too long, and probes their hosts. When another address has
 * shown that the host is alive, a silent one does not delay the next round. */
static void expire_attempts(struct sock_peer *p, uint64_t now)
{
    uint64_t enough = sock_probe_after();
    bool late = is_late(p->dial, now);

    for (int i = p->dial->attempts - 1; i >= 0; i--) {
        struct conn *c = p->dial->attempt[i];
        if (c->state != CONN_CONNECTING)
            continue;
        if (late || (p->dial->alive && now > c->since + 2 * enough))
            sock_dial_failed(c, -ETIMEDOUT);
        else if (now > c->since + enough)
            sock_dial_probe(c);
    }
}

/* Called when all addresses have failed. If all were refused the process has ended, because it
 * listens before it publishes its endpoint. */
static bool is_unreachable(const struct sock_dial *d, uint64_t now)
{
    return d->refused || is_late(d, now);
}

bool sock_dial_tick(struct sock_peer *p, uint64_t now)
{
    struct sock_dial *d = p->dial;

    expire_attempts(p, now);
    if (d->proof_sent || now < d->retry_at)
        return false;
    if (d->next == d->count && d->attempts)
        return false;
    if (d->next == d->count) {
        if (is_unreachable(d, now)) {
            sock_peer_lose(p, d->error);
            return true;
        }
        d->next = 0;
        d->since = d->alive ? now : d->since;
        d->alive = false;
        d->refused = true;
    }
    int rc = next_attempt(p, now);
    if (rc) { /* this process lacks memory or descriptors: the peer is not lost */
        sock_dial_end(p);
        sock_peer_fail_queue(p, rc);
        return true;
    }
    if (!d->attempts)
        dial_schedule(d, now);
    return false;
}
