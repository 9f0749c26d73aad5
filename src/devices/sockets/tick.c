/* tick.c — what happens by the clock: retries, strangers that are too slow, dead hosts. */
#include <netinet/tcp.h>
#include <sys/socket.h>
#include "sockets_impl.h"

enum { UNANSWERED = 3 };

/* Does the peer's kernel leave unanswered what ours repeats? A closed window is no such sign: the
 * process computes, but its kernel answers our probes. */
static bool is_silent(const struct conn *c)
{
    struct tcp_info t = { .tcpi_state = 0 };
    socklen_t len = sizeof t;

    if (getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &t, &len))
        return false;
    return t.tcpi_retransmits >= UNANSWERED || t.tcpi_probes >= UNANSWERED;
}

/* One at a time: peer_lost may change the list. */
static bool lose_dead_host(uint64_t now)
{
    for (struct conn *c = sock_dev.conns; c; c = c->next) {
        if (c->state != CONN_UP || !is_silent(c)) {
            c->silent_since = 0;
        } else if (!c->silent_since) {
            c->silent_since = now;
        } else if (now - c->silent_since >= sock_seconds(sock_timeout_s)) {
            sock_peer_lose(c->peer, -ETIMEDOUT);
            return true;
        }
    }
    return false;
}

static void expire_strangers(uint64_t now)
{
    for (struct conn *c = sock_dev.conns, *next; c; c = next) {
        next = c->next;
        if ((c->state == CONN_STRANGER && now > c->since + sock_ms(SOCK_SILENT_MS))
            || (c->state == CONN_ANSWERED && now > c->since + sock_ms(SOCK_PROOF_MS))
            || (c->state == CONN_ENDING && now > c->since + sock_ms(SOCK_DRAIN_MS)))
            sock_conn_close(c);
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
    while (sock_dev.dials && tick_dials(now))
        ;
    if (sock_dev.count[CONN_STRANGER] + sock_dev.count[CONN_ANSWERED] + sock_dev.count[CONN_ENDING])
        expire_strangers(now);
    if (now >= sock_dev.next_watch && sock_timeout_s > 0) {
        sock_dev.next_watch = now + sock_ms(SOCK_WATCH_MS);
        while (sock_dev.count[CONN_UP] && lose_dead_host(now))
            ;
    }
}
