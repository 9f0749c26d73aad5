/* watch.c — does a peer live of which nothing is heard?
 *
 * Providers often say nothing when a peer ends, and a peer that computes says nothing either: it
 * answers only inside MPI. So the kernels are asked. Where addresses are IP addresses, each process
 * listens on a socket that it never looks at. Whoever waits for a silent peer connects there: the
 * peer's kernel accepts, answers keep-alives while the process lives, and ends the connection when
 * it does not. Besides, a message is sent, since a provider that cannot deliver it may say so. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "ofi_impl.h"

enum { LAST_WORDS = 1000, LEAST_MS = 500, SILENT_NS = 900000000 };

/* The card's address with this port; its length, 0 when it is no IP address. */
static socklen_t address_of(const struct ofi_card *card, uint16_t port, struct sockaddr_storage *a)
{
    struct sockaddr_in *in = (struct sockaddr_in *) (void *) a;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *) (void *) a;

    memset(a, 0, sizeof *a);
    memcpy(a, card->address, card->len);
    if (card->format == FI_SOCKADDR_IN && card->len == sizeof *in && in->sin_family == AF_INET) {
        in->sin_port = htons(port);
        return sizeof *in;
    }
    if (card->format == FI_SOCKADDR_IN6 && card->len == sizeof *in6
        && in6->sin6_family == AF_INET6) {
        in6->sin6_port = htons(port);
        return sizeof *in6;
    }
    return 0;
}

static int tcp_socket(int family)
{
    return os_new_fd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

void ofi_watch_open(void)
{
    struct sockaddr_storage a;
    struct sockaddr_in *in = (struct sockaddr_in *) (void *) &a; /* the port is at one place */
    socklen_t len = address_of(&ofi_dev.card, 0, &a);

    if (!len || (ofi_dev.listener = tcp_socket(a.ss_family)) < 0)
        return;
    if (!bind(ofi_dev.listener, (struct sockaddr *) &a, len) && !listen(ofi_dev.listener, SOMAXCONN)
        && !getsockname(ofi_dev.listener, (struct sockaddr *) &a, &len)) {
        ofi_dev.card.port = ntohs(in->sin_port);
        return;
    }
    ofi_watch_close();
}

void ofi_watch_close(void)
{
    if (ofi_dev.listener >= 0)
        (void) close(ofi_dev.listener);
    ofi_dev.listener = -1;
}

/* What is left of the time it may be silent. */
static int set_patience(int fd, uint64_t silent_ns)
{
    unsigned all = ofi_dev.env->peer_timeout_s * 1000, silent = (unsigned) (silent_ns / 1000000);
    unsigned ms = silent + LEAST_MS < all ? all - silent : LEAST_MS;
    int third = ms > 3000 ? (int) ms / 3000 : 1, on = 1, probes = 3;

    return setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on)
           || setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &third, sizeof third)
           || setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &third, sizeof third)
           || setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes)
           || setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms);
}

/* Without a descriptor to spare nobody is watched. */
static void connect_to(struct ofi_peer *p, uint64_t silent_ns)
{
    struct sockaddr_storage a;
    socklen_t len = p->card.port ? address_of(&p->card, p->card.port, &a) : 0;

    if (!len || (p->watch = tcp_socket(a.ss_family)) < 0)
        return;
    if (!set_patience(p->watch, silent_ns)
        && (!connect(p->watch, (struct sockaddr *) &a, len) || errno == EINPROGRESS)
        && !os_epoll_set(ofi_dev.watches, p->watch, true, false, p)) {
        ofi_dev.watching++;
        return;
    }
    (void) close(p->watch);
    p->watch = -1;
}

void ofi_watch_end(struct ofi_peer *p)
{
    if (p->watch < 0)
        return;
    (void) close(p->watch);
    p->watch = -1;
    ofi_dev.watching--;
}

void ofi_watch(struct dev_peer *peer)
{
    struct ofi_peer *p = peer->priv;
    uint64_t now = os_time_ns(), third = ofi_dev.env->peer_timeout_s * 1000000000ull / 3;

    if (!third || p->lost || p->error)
        return;
    if (!p->silent_since || p->heard != p->heard_before) {
        p->heard_before = p->heard;
        p->silent_since = now;
    }
    if (now - p->silent_since < (third < SILENT_NS ? third : SILENT_NS) || now - p->pinged < third)
        return;
    p->pinged = now;
    if (p->watch < 0)
        connect_to(p, now - p->silent_since);
    if (!p->in_flight) /* else the provider has something to tell already */
        (void) ofi_say(p, OFI_PING);
}

/* Something came of a connection where nothing is ever said. What the peer had sent comes first:
 * it may have been its last word. */
static void ended(struct ofi_peer *p)
{
    int err = 0;
    socklen_t len = sizeof err;

    (void) getsockopt(p->watch, SOL_SOCKET, SO_ERROR, &err, &len);
    ofi_watch_end(p);
    for (int i = 0; i < LAST_WORDS && ofi_cq_poll(); i++)
        ;
    if (!p->bye_came)
        ofi_peer_lose(p, err ? -err : -ECONNRESET,
                      err == ETIMEDOUT ? "its host does not answer (Connection timed out)"
                                       : "the process has ended");
}

bool ofi_watch_poll(void)
{
    void *peer[1];
    bool any = ofi_dev.watching && os_epoll_wait(ofi_dev.watches, peer, 1, 0) > 0;

    if (any)
        ended(peer[0]);
    return any;
}
