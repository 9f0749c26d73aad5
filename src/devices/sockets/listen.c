/* listen.c — the listening sockets and their probe ports; accepting connections. */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "devices/sockets/sock_impl.h"

enum { BATCH = 64 };

/* A socket at any free port of address a. dual: an IPv6 socket that takes IPv4 as well. */
static int bind_to(const struct os_ip *a, bool dual, uint16_t *port)
{
    struct sockaddr_storage s;
    socklen_t len = os_ip_socket(a, 0, &s);
    int off = 0;
    int fd = os_new_fd(socket(s.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));

    if (fd < 0)
        return fd;
    if (sock_socket_options(fd)
        || (dual && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off))
        || bind(fd, (struct sockaddr *) &s, len) || getsockname(fd, (struct sockaddr *) &s, &len)) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    *port = ntohs(a->v6 ? ((struct sockaddr_in6 *) &s)->sin6_port
                        : ((struct sockaddr_in *) &s)->sin_port);
    return fd;
}

static int bind_any(bool loopback, uint16_t *port)
{
    static const struct os_ip any6 = { .v6 = true }, any4 = { .v6 = false };
    static const struct os_ip lo6 = { .v6 = true, .ip = { [15] = 1 } };
    static const struct os_ip lo4 = { .ip = { 127, 0, 0, 1 } };
    int fd = loopback ? bind_to(&lo4, false, port) : bind_to(&any6, true, port);

    if (fd < 0)
        fd = loopback ? bind_to(&lo6, false, port) : bind_to(&any4, false, port);
    return fd;
}

/* A listener at a free port; NULL: *err says why. */
static struct conn *new_listener(bool loopback, uint16_t *port, int *err)
{
    int fd = bind_any(loopback, port);

    *err = fd < 0 ? fd : listen(fd, SOMAXCONN) ? -errno : 0;
    if (*err && fd >= 0)
        (void) close(fd);
    struct conn *c = *err ? NULL : sock_conn_new(fd, CONN_LISTENER);
    *err = c || *err ? *err : -ENOMEM;
    return c;
}

int sock_listen(bool loopback, struct sock_endpoint *endpoint)
{
    int probe = bind_any(loopback, &endpoint->probe), err, n = sock_dev.listeners;

    if (probe < 0)
        return probe;
    struct conn *listener = new_listener(loopback, &endpoint->port, &err);
    if (err) {
        (void) close(probe);
        return err;
    }
    sock_dev.listener[n] = listener;
    sock_dev.probe[n] = probe;
    sock_dev.listeners++;
    if (sock_dev.spare < 0)
        sock_dev.spare = os_new_fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    sock_dev.unauthenticated_max = sock_unauthenticated_limit();
    return 0;
}

/* Without a free descriptor a connection would wait in the backlog for ever. Closing the spare one
 * makes room to accept and end it; the dialer then tries again. */
static bool listener_reject(int listener)
{
    if (sock_dev.spare < 0)
        return false;
    (void) close(sock_dev.spare);
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        (void) close(fd);
    sock_dev.spare = os_new_fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return fd >= 0;
}

static bool listener_accept(struct conn *listener)
{
    int fd = os_new_fd(accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));

    if (fd == -EMFILE || fd == -ENFILE || fd == -ENOBUFS || fd == -ENOMEM)
        return sock_evict_unauthenticated() || listener_reject(listener->fd);
    if (fd < 0)
        return fd == -ECONNABORTED || fd == -EINTR;
    if (sock_unauthenticated() >= sock_dev.unauthenticated_max)
        (void) sock_evict_unauthenticated();
    struct conn *c = sock_socket_options(fd) ? NULL : sock_conn_new(fd, CONN_UNAUTHENTICATED);
    if (c)
        sock_handshake_step(c); /* its hello has mostly arrived already */
    return true;
}

/* Accepts nothing before ADI3 has set the secret: it is all zero until then. */
void sock_accept(struct conn *listener)
{
    static const unsigned char none[DEV_SECRET];

    if (!memcmp(sock_dev.env->job->secret, none, sizeof none))
        return;
    for (int i = 0; i < BATCH && listener_accept(listener); i++)
        ;
}
