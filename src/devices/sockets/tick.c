/* tick.c — what time limits do: retries, slow unauthenticated peers, dead hosts. */
#include <netinet/tcp.h>
#include <sys/socket.h>
#include "devices/sockets/sock_impl.h"

/* How long the peer's kernel has not answered what this one repeats, in ns. A closed window is no
 * silence: the peer computes, and its kernel answers window probes. */
static uint64_t conn_silence_ns(struct conn *c, uint64_t now)
{
    struct tcp_info t = { .tcpi_state = 0 };
    socklen_t len = sizeof t;

    if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &t, &len)
        || (!t.tcpi_retransmits && !t.tcpi_probes)) {
        c->silent_since = 0;
        return 0;
    }
    if (!c->silent_since)
        c->silent_since = now;
    uint64_t owing = now - c->silent_since, quiet = sock_ms(t.tcpi_last_ack_recv);
    return owing < quiet ? owing : quiet;
}

/* Finds one connection whose host is dead; false if there is none. One per call, because the
 * list of connections changes. While a peer is dialed it may still be reached at another
 * address. */
static bool detect_dead_host(uint64_t now)
{
    for (struct conn *c = sock_dev.conns; c; c = c->next) {
        bool dials = c->state == CONN_HELLO_SENT || c->state == CONN_PROOF_SENT;
        uint64_t silent = dials || c->state == CONN_UP ? conn_silence_ns(c, now) : 0;
        if (c->state == CONN_HELLO_SENT && silent >= sock_probe_after())
            sock_dial_probe(c);
        if (c->state == CONN_DEAD)
            return true;
        if (silent < sock_timeout_ns())
            continue;
        if (dials) {
            sock_dial_failed(c, -ETIMEDOUT);
        } else {
            sock_conn_reset(c);
            sock_peer_lose(c->peer, -ETIMEDOUT);
        }
        return true;
    }
    return false;
}

static void expire_connections(uint64_t now)
{
    for (struct conn *c = sock_dev.conns, *next; c; c = next) {
        next = c->next;
        if ((c->state == CONN_UNAUTHENTICATED && now > c->since + sock_ms(SOCK_HELLO_MS))
            || (c->state == CONN_PROOF_AWAITED && now > c->since + sock_ms(SOCK_PROOF_MS))
            || (c->state == CONN_CLOSING && now > c->since + sock_ms(SOCK_CLOSE_MS)))
            sock_conn_close(c);
    }
}

/* Time limits count only time in which this process polls: an answer may have arrived that it
 * has not read yet. So the start of each round is moved by the length of the pause. */
static void exclude_pause(uint64_t now)
{
    uint64_t pause = now - sock_dev.last_tick, most = sock_timeout_ns() / 2;

    most = most < sock_ms(SOCK_STAGGER_MS) ? most : sock_ms(SOCK_STAGGER_MS);
    sock_dev.last_tick = now;
    if (pause <= most)
        return;
    for (struct sock_peer *p = sock_dev.peers; p; p = p->next) {
        uint64_t since = p->dial ? p->dial->since + (pause - most) : 0;
        if (p->dial)
            p->dial->since = since < now ? since : now;
    }
}

static bool tick_dials(uint64_t now)
{
    for (struct sock_peer *p = sock_dev.peers; p; p = p->next)
        if (p->dial && sock_dial_tick(p, now))
            return true;
    return false;
}

void sock_tick(uint64_t now)
{
    sock_dev.next_tick = now + sock_ms(SOCK_TICK_MS);
    if (sock_timeout_ns())
        exclude_pause(now);
    while (sock_dev.dials && tick_dials(now))
        ;
    if (sock_unauthenticated() + sock_dev.count[CONN_CLOSING])
        expire_connections(now);
    if (now >= sock_dev.next_watch && sock_timeout_ns()) {
        sock_dev.next_watch = now + sock_timeout_ns() / SOCK_HOST_CHECKS;
        while (detect_dead_host(now))
            ;
    }
}
