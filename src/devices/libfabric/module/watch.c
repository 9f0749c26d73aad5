/* watch.c — does a peer live of which nothing is heard?
 *
 * Providers often say nothing when a peer ends, and a peer that computes says nothing either: it
 * answers only inside MPI. So the kernels are asked. Where addresses are IP addresses, each process
 * has two ports. At the first it listens, and never accepts: a peer that waits for it connects
 * there, the kernel answers keep-alives while the process lives, ends the connection when it does
 * not, and refuses another one. When the backlog is full the kernel says nothing there. So at the
 * second port the process never listens: whoever connects is refused for as long as the host lives.
 *
 * Besides, a message is sent, since a provider that cannot deliver it may say so. */
#include "ofi_impl.h"

enum { LAST_MESSAGES = 1000, PROBE_NS = 900000000 };

/* Patience is for the time in which this process looks. */
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
    if (now - p->pinged_at >= third
        && !p->in_flight) { /* else the provider has something to tell */
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

/* What the peer had sent comes first: it may have been its last word. */
static void lose(struct ofi_peer *p, int err, const char *why)
{
    ofi_watch_end(p);
    for (int i = 0; i < LAST_MESSAGES && ofi_cq_poll(); i++)
        ;
    if (!p->close_received)
        ofi_peer_lose(p, err, why);
}

/* Something came of a connection where nothing is ever said. A connection that the peer's kernel
 * ends may also be one that its listener had no room for: the peer has ended when the next one is
 * refused. A refusal that connect() has told already is no error of the socket any more. */
static void ended(struct ofi_peer *p)
{
    uint64_t now = os_time_ns();
    bool watched = p->watched;
    int err = ofi_watch_take_error(p->watch);

    ofi_watch_disconnect(p);
    if (err == ECONNREFUSED || (!err && !watched))
        lose(p, -ECONNRESET, "the process has ended");
    else if (watched && err && err != ECONNRESET)
        lose(p, -err, "its host does not answer (Connection timed out)");
    else if (now - p->probed_at >= PROBE_NS)
        ofi_watch_connect(p, now);
}

bool ofi_watch_poll(void)
{
    void *peer[1];
    bool any = ofi_dev.watching && os_epoll_wait(ofi_dev.watches, peer, 1, 0) > 0;

    if (any)
        ended(peer[0]);
    return any;
}
