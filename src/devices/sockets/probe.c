/* probe.c — is the host of a silent connection attempt alive?
 *
 * When the backlog of a listener is full, the kernel drops further connections. A process that
 * computes, or that many unauthenticated peers connect to, then looks as if its host were dead.
 * So each process binds a second port, the probe port, and never listens there: the kernel
 * refuses every connection to it, whatever the process does. A refusal shows that the host is
 * alive, and the attempt begins again. */
#include <sys/socket.h>
#include <unistd.h>
#include "devices/sockets/sock_impl.h"

uint64_t sock_probe_after(void)
{
    uint64_t third = sock_timeout_ns() / 3, usual = sock_ms(SOCK_STAGGER_MS);

    return third && third < usual ? third : usual;
}

static int probe_start(struct conn *attempt, uint16_t port)
{
    struct sockaddr_storage s;
    socklen_t len = os_ip_socket(&attempt->to, port, &s);
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
    int rc = attempt->probe ? 0 : probe_start(attempt, attempt->peer->dial->probe);

    return rc == -ECONNREFUSED || sock_is_shortage(rc);
}

/* An error other than these says that the network finds no host; the next tick probes again. */
bool sock_probe_found_host(struct conn *probe)
{
    int err = 0;
    socklen_t len = sizeof err;

    if (getsockopt(probe->fd, SOL_SOCKET, SO_ERROR, &err, &len))
        err = errno;
    return !err || err == ECONNREFUSED || err == ECONNRESET;
}
