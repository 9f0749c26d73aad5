/* probe.c — does the host of a silent attempt live?
 *
 * A listener drops whoever connects when its backlog is full, so a process that computes, or has
 * been visited by many strangers, looks like one on a dead host. Hence each process has a second
 * port at which it never listens: there the kernel refuses everybody, whatever the process does and
 * however many ask. A host that does so lives, and the attempt begins again. */
#include <sys/socket.h>
#include <unistd.h>
#include "sockets_impl.h"

uint64_t sock_probe_after(void)
{
    uint64_t third = sock_timeout_ns() / 3, usual = sock_ms(SOCK_STAGGER_MS);

    return third && third < usual ? third : usual;
}

static int start(struct conn *attempt, uint16_t port)
{
    struct sockaddr_storage s;
    socklen_t len = sock_address(&attempt->to, port, &s);
    int fd = os_new_fd(socket(s.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));

    if (fd < 0)
        return fd;
    if (connect(fd, (struct sockaddr *) &s, len) && errno != EINPROGRESS) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    struct conn *c = sock_conn_new(fd, CONN_PROBING);
    if (!c)
        return -ENOMEM;
    c->probe = attempt;
    attempt->probe = c;
    return 0;
}

bool sock_probe(struct conn *attempt)
{
    int rc = attempt->probe ? 0 : start(attempt, attempt->peer->dial->probe);

    return rc == -ECONNREFUSED || sock_is_shortage(rc);
}

/* Other errors say that the network finds no host: the next tick asks again. */
bool sock_probe_found_host(struct conn *probe)
{
    int err = 0;
    socklen_t len = sizeof err;

    if (getsockopt(probe->fd, SOL_SOCKET, SO_ERROR, &err, &len))
        err = errno;
    return !err || err == ECONNREFUSED || err == ECONNRESET;
}
