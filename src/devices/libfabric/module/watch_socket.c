/* watch_socket.c — the sockets by which watch.c asks kernels: the two ports of this process, and
 * the connections to those of a peer. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "devices/libfabric/module/ofi_impl.h"

/* ---- local ports ----------------------------------------------------------------------------- */

/* The endpoint's address with this port; its length, 0 when it is no IP address. */
static socklen_t address_of(const struct ofi_endpoint *endpoint, uint16_t port,
                            struct sockaddr_storage *a)
{
    struct sockaddr_in *in = (struct sockaddr_in *) (void *) a;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *) (void *) a;

    memset(a, 0, sizeof *a);
    memcpy(a, endpoint->address, endpoint->len);
    if (endpoint->format == FI_SOCKADDR_IN && endpoint->len == sizeof *in
        && in->sin_family == AF_INET) {
        in->sin_port = htons(port);
        return sizeof *in;
    }
    if (endpoint->format == FI_SOCKADDR_IN6 && endpoint->len == sizeof *in6
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

static void watch_close_fd(int *fd)
{
    if (*fd >= 0)
        (void) close(*fd);
    *fd = -1;
}

/* A socket at a free port of the local address; -1: none. */
static int bind_any(uint16_t *port)
{
    struct sockaddr_storage a;
    struct sockaddr_in *in = (struct sockaddr_in *) (void *) &a; /* the port is at one place */
    socklen_t len = address_of(&ofi_dev.endpoint, 0, &a);
    int fd = len ? tcp_socket(a.ss_family) : -1;

    if (fd < 0)
        return -1;
    if (bind(fd, (struct sockaddr *) &a, len) || getsockname(fd, (struct sockaddr *) &a, &len))
        watch_close_fd(&fd);
    else
        *port = ntohs(in->sin_port);
    return fd;
}

/* Opens both ports or none: without the probe port, silence of the watch port means nothing. */
void ofi_watch_open(void)
{
    struct ofi_endpoint *c = &ofi_dev.endpoint;

    ofi_dev.listener = bind_any(&c->port);
    ofi_dev.probe = bind_any(&c->probe);
    if (ofi_dev.listener >= 0 && ofi_dev.probe >= 0 && !listen(ofi_dev.listener, SOMAXCONN))
        return;
    c->port = c->probe = 0;
    ofi_watch_close();
}

void ofi_watch_close(void)
{
    watch_close_fd(&ofi_dev.listener);
    watch_close_fd(&ofi_dev.probe);
}

/* ---- peers ---------------------------------------------------------------------------------- */

/* The kernel gives up a connection whose host is silent for the peer timeout. */
static int set_patience(int fd)
{
    int s = (int) (ofi_dev.env->peer_timeout_s < 30000 ? ofi_dev.env->peer_timeout_s : 30000);
    int ms = s * 1000, idle = s > 3 ? s / 3 : 1, interval = s > 10 ? s / 10 : 1, on = 1;

    return setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on)
           || setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle)
           || setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval)
           || setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms);
}

/* A socket that connects to this port of the peer, or has been refused; or a negative errno. */
static int connect_to(const struct ofi_peer *p, uint16_t port)
{
    struct sockaddr_storage a;
    socklen_t len = address_of(&p->endpoint, port, &a);
    int fd = tcp_socket(a.ss_family);

    if (fd < 0)
        return fd;
    if (!set_patience(fd)
        && (!connect(fd, (struct sockaddr *) &a, len) || errno == EINPROGRESS
            || errno == ECONNREFUSED))
        return fd;
    int err = -errno;
    (void) close(fd);
    return err;
}

static bool is_shortage(int err)
{
    return err == -EMFILE || err == -ENFILE || err == -ENOMEM || err == -ENOBUFS;
}

void ofi_watch_disconnect(struct ofi_peer *p)
{
    ofi_dev.watching -= p->watch >= 0;
    p->watched = false;
    watch_close_fd(&p->watch);
}

void ofi_watch_end(struct ofi_peer *p)
{
    ofi_watch_disconnect(p);
    watch_close_fd(&p->probe);
}

/* Connects to both ports, also if that was done before: the kernel repeats an unanswered attempt at
 * growing intervals. If this process lacks memory or descriptors the peer counts as alive. */
void ofi_watch_connect(struct ofi_peer *p, uint64_t now)
{
    ofi_watch_end(p);
    p->probed_at = now;
    p->probe = connect_to(p, p->endpoint.probe);
    p->watch = connect_to(p, p->endpoint.port);
    if (is_shortage(p->probe) || is_shortage(p->watch))
        p->alive_at = now;
    ofi_dev.watching += p->watch >= 0;
    if (p->watch >= 0 && os_epoll_set(ofi_dev.watches, p->watch, true, false, p))
        ofi_watch_disconnect(p);
}

static int tcp_state(int fd)
{
    struct tcp_info t = { .tcpi_state = 0 };
    socklen_t len = sizeof t;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &t, &len) ? -1 : t.tcpi_state;
}

/* Takes the error of a socket. */
int ofi_watch_take_error(int fd)
{
    int err = 0;
    socklen_t len = sizeof err;

    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) ? errno : err;
}

/* An error other than these says that the network finds no host. */
bool ofi_watch_host_is_alive(struct ofi_peer *p)
{
    int err = ETIMEDOUT;

    if (!p->watched && p->watch >= 0)
        p->watched = tcp_state(p->watch) == TCP_ESTABLISHED;
    if (p->probe >= 0 && tcp_state(p->probe) != TCP_SYN_SENT) {
        err = ofi_watch_take_error(p->probe);
        watch_close_fd(&p->probe);
    }
    return p->watched || !err || err == ECONNREFUSED || err == ECONNRESET;
}
