/* watch.c — is a silent peer alive?
 *
 * Providers often report nothing when a peer ends, and a peer that computes is silent too: it
 * answers only inside MPI. So the kernel of its host is asked. Where addresses are IP addresses,
 * each process binds two TCP ports. At the watch port it listens, and never accepts. A peer that
 * waits for the process connects there. The kernel answers keepalives while the process is
 * alive, ends the connection when the process ends, and refuses further ones. But when the
 * backlog is full the kernel does not answer there. So the process never listens at the second
 * port, the probe port: the kernel refuses every connection to it as long as the host is alive.
 *
 * A ping message is sent too, because a provider that cannot deliver it may report so. But for the
 * first message to a peer a provider opens a connection, which the peer accepts only inside MPI.
 * While the backlog is full the kernel repeats the attempt at growing intervals, and the
 * connection that the peer itself opens later may have to wait for it. So a peer that has ports
 * gets a ping only when it has sent something: then there is a connection. */
#include "devices/libfabric/module/ofi_impl.h"

enum { LAST_MESSAGES = 1000, PROBE_NS = 900000000 };

/* Whether a ping opens no connection, or is the only way to hear of the peer's end. */
static bool may_ping(const struct ofi_peer *p) { return p->arrivals || !p->endpoint.port; }

/* Updates when the peer was last seen alive. The peer timeout counts only time in which this
 * process polls. */
static void note_life(struct ofi_peer *p, uint64_t now, uint64_t patience)
{
    uint64_t most = patience / 2 < PROBE_NS ? patience / 2 : PROBE_NS, pause = now - p->watched_at;

    p->watched_at = now;
    if (pause > most && p->alive_at)
        p->alive_at = p->alive_at + (pause - most) < now ? p->alive_at + (pause - most) : now;
    if (!p->silent_since || p->arrivals != p->arrivals_before) {
        p->arrivals_before = p->arrivals;
        p->silent_since = p->alive_at = now;
    } else if (ofi_watch_host_is_alive(p)) {
        p->alive_at = now;
    }
}

void ofi_watch(struct dev_peer *peer)
{
    struct ofi_peer *p = peer->priv;
    uint64_t now = os_time_ns(), patience = ofi_dev.env->peer_timeout_s * 1000000000ull;
    uint64_t third = patience / 3, soon = third < PROBE_NS ? third : PROBE_NS;

    if (!patience || p->lost || p->error)
        return;
    note_life(p, now, patience);
    if (now - p->silent_since < soon)
        return;
    if (now - p->pinged_at >= third && may_ping(p)
        && !p->in_flight) { /* else the provider will report on what is in flight */
        p->pinged_at = now;
        (void) ofi_send_control(p, OFI_PING);
    }
    if (!p->endpoint.port || p->watched || now - p->probed_at < soon)
        return;
    if (now - p->alive_at >= patience)
        ofi_peer_mark_failed(p, -ETIMEDOUT, "its host does not answer (Connection timed out)");
    else
        ofi_watch_connect(p, now);
}

/* Handles first what the peer sent before: a close among it makes this an orderly end. */
static void watch_lose_peer(struct ofi_peer *p, int err, const char *why)
{
    ofi_watch_end(p);
    for (int i = 0; i < LAST_MESSAGES && ofi_cq_poll(); i++)
        ;
    if (!p->close_received)
        ofi_peer_lose(p, err, why);
}

/* The watch connection of a peer has ended or failed; nothing else happens on it, because no
 * data is ever sent. The peer's kernel also ends a connection for which the listener had no
 * room, so the peer is lost only when the next connection is refused. A refusal that connect()
 * itself reported is no error of the socket any more. */
static void watch_handle_end(struct ofi_peer *p)
{
    uint64_t now = os_time_ns();
    bool watched = p->watched;
    int err = ofi_watch_take_error(p->watch);

    ofi_watch_disconnect(p);
    if (err == ECONNREFUSED || (!err && !watched))
        watch_lose_peer(p, -ECONNRESET, "the process has ended");
    else if (watched && err && err != ECONNRESET)
        watch_lose_peer(p, -err, "its host does not answer (Connection timed out)");
    else if (now - p->probed_at >= PROBE_NS)
        ofi_watch_connect(p, now);
}

bool ofi_watch_poll(void)
{
    void *peer[1];
    bool any = ofi_dev.watching && os_epoll_wait(ofi_dev.watches, peer, 1, 0) > 0;

    if (any)
        watch_handle_end(peer[0]);
    return any;
}
