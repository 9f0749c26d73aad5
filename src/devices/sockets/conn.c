/* conn.c — a connection: its creation, state, events and end. */
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "devices/sockets/sock_impl.h"

static void link_last(struct conn *c)
{
    c->prev = sock_dev.conns_last;
    *(c->prev ? &c->prev->next : &sock_dev.conns) = c;
    sock_dev.conns_last = c;
}

static void unlink_conn(struct conn *c)
{
    *(c->prev ? &c->prev->next : &sock_dev.conns) = c->next;
    *(c->next ? &c->next->prev : &sock_dev.conns_last) = c->prev;
}

struct conn *sock_conn_new(int fd, enum conn_state state)
{
    bool connects = state == CONN_CONNECTING || state == CONN_PROBING;
    struct conn *c = calloc(1, sizeof *c);

    if (!c || os_epoll_set(sock_dev.epoll, fd, true, connects, c)) {
        free(c);
        (void) close(fd);
        return NULL;
    }
    c->fd = fd;
    c->state = state;
    c->watch_write = connects;
    c->since = os_time_ns();
    sock_dev.count[state]++;
    link_last(c);
    return c;
}

/* An attempt and its probe point at each other. When the attempt changes its state the probe is no
 * longer needed. */
static void end_probe(struct conn *c)
{
    struct conn *other = c->probe;

    if (!other)
        return;
    c->probe = other->probe = NULL;
    if (other->state == CONN_PROBING)
        sock_conn_close(other);
}

void sock_conn_state(struct conn *c, enum conn_state state)
{
    end_probe(c);
    sock_dev.count[c->state]--;
    sock_dev.count[state]++;
    c->state = state;
    c->since = os_time_ns();
    c->in_len = 0;
    if (sock_dev.hot == c)
        sock_dev.hot = NULL;
}

int sock_conn_watch(struct conn *c, bool write)
{
    if (c->watch_write == write)
        return 0;
    c->watch_write = write;
    return os_epoll_set(sock_dev.epoll, c->fd, true, write, c);
}

void sock_conn_block(struct conn *c, bool blocked)
{
    sock_dev.blocked += blocked - c->blocked;
    c->blocked = blocked;
    sock_dev.skip = 0;
    if (blocked)
        (void) sock_conn_watch(c, true);
}

/* Ends the connection at once. Where a link loses only large packets the peer lives, and the end of
 * the stream would come to it after the data that never comes. */
void sock_conn_reset(struct conn *c)
{
    const struct sockaddr none = { .sa_family = AF_UNSPEC };

    (void) connect(c->fd, &none, sizeof none);
}

/* A forked child may keep the socket open: close() alone would leave it in the epoll set and the
 * connection open. */
void sock_conn_close(struct conn *c)
{
    if (c->state == CONN_DEAD)
        return;
    os_epoll_drop(sock_dev.epoll, c->fd);
    if (c->state != CONN_LISTENER)
        (void) shutdown(c->fd, SHUT_WR);
    (void) close(c->fd);
    sock_conn_block(c, false);
    unlink_conn(c);
    sock_conn_state(c, CONN_DEAD);
    c->fd = -1;
    c->peer = NULL;
    free(c->unsent);
    c->unsent = NULL;
    c->next = sock_dev.dead;
    sock_dev.dead = c;
}

void sock_conn_reap(void)
{
    while (sock_dev.dead) {
        struct conn *c = sock_dev.dead;
        sock_dev.dead = c->next;
        sock_dev.count[CONN_DEAD]--;
        free(c);
    }
}

static int socket_set_option(int fd, int level, int name, int value)
{
    return setsockopt(fd, level, name, &value, sizeof value) ? -errno : 0;
}

/* Small packets are sent at once. Keepalives of the kernel find out whether the host of a silent
 * peer is alive; they cost nothing in a process that sleeps or computes. tick.c handles data that a
 * dead host does not acknowledge: TCP_USER_TIMEOUT would also end a connection whose receiver
 * computes and leaves its window closed. */
int sock_socket_options(int fd)
{
    enum { KERNEL_MAX = 32767 }; /* seconds */
    unsigned want = sock_dev.env->peer_timeout_s;
    int patience = want < KERNEL_MAX ? (int) want : KERNEL_MAX;
    int idle = patience > 3 ? patience / 2 : 1, interval = patience > 10 ? patience / 10 : 1;
    int asks = patience > idle ? (patience - idle) / interval : 1;
    int size = (int) (sock_socket_buffer < INT32_MAX / 2 ? sock_socket_buffer : INT32_MAX / 2);
    int rc = socket_set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);

    if (!rc && patience)
        rc = socket_set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1)
             | socket_set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle)
             | socket_set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval)
             | socket_set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, asks);
    if (size)
        (void) (socket_set_option(fd, SOL_SOCKET, SO_SNDBUF, size)
                | socket_set_option(fd, SOL_SOCKET, SO_RCVBUF, size));
    return rc;
}

int sock_conn_send(struct conn *c, const void *data, size_t len)
{
    ssize_t n = send(c->fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);

    return n == (ssize_t) len ? 0 : n < 0 ? -errno : -ENOBUFS;
}

bool sock_is_shortage(int err)
{
    return err == -EMFILE || err == -ENFILE || err == -ENOMEM || err == -ENOBUFS;
}
