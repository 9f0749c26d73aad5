/* connect.c — the TCP connection to a launcher that sets PMI_PORT instead of PMI_FD. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"

enum { CONNECT_MS = 10000 };

/* Splits "host:port" or "[::1]:port": copies the host, *port points into address. */
static int address_split(const char *address, char *host, size_t len, const char **port)
{
    const char *colon = strrchr(address, ':');
    size_t n = colon ? (size_t) (colon - address) : 0;

    if (n > 2 && address[0] == '[' && address[n - 1] == ']') {
        address++;
        n -= 2;
    }
    if (!n || n >= len || !colon[1])
        return -EINVAL;
    memcpy(host, address, n);
    host[n] = '\0';
    *port = colon + 1;
    return 0;
}

/* Waits until a connection has been made or refused. */
static int wait_connected(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    uint64_t end = os_time_ns() + CONNECT_MS * 1000000ull, now;
    int err = 0, n = 0;
    socklen_t len = sizeof err;

    while ((now = os_time_ns()) < end && (n = poll(&p, 1, (int) ((end - now) / 1000000) + 1)) < 0
           && errno == EINTR)
        n = 0;
    if (n <= 0)
        return n ? -errno : -ETIMEDOUT;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len))
        return -errno;
    return -err;
}

static int address_connect(const struct addrinfo *a)
{
    int type = a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int fd = os_new_fd(socket(a->ai_family, type, a->ai_protocol));

    if (fd < 0)
        return fd;
    int err = connect(fd, a->ai_addr, a->ai_addrlen) ? -errno : 0;
    if (err == -EINPROGRESS || err == -EINTR)
        err = wait_connected(fd);
    if (!err)
        return fd;
    (void) close(fd);
    return err;
}

/* In many containers no resolver knows the name of the host itself. When PMI_PORT has that name,
 * the launcher runs here, and the loopback address reaches it. */
static int look_up(const char *host, const char *port, struct addrinfo **found)
{
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    char own[256];
    int err = getaddrinfo(host, port, &hints, found);

    os_hostname(own, sizeof own);
    if (err && !strcmp(host, own))
        return getaddrinfo(NULL, port, &hints, found); /* loopback */
    return err;
}

int pmi_connect(const char *address)
{
    struct addrinfo *found;
    char host[256];
    const char *port;

    if (address_split(address, host, sizeof host, &port))
        return pmi_fail(-EINVAL, "PMI_PORT=%.100s is not host:port", address);
    int err = look_up(host, port, &found);
    if (err)
        return pmi_fail(-EHOSTUNREACH, "PMI_PORT=%.100s: %s", address, gai_strerror(err));
    int fd = -EHOSTUNREACH;
    for (const struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
        fd = address_connect(a);
    freeaddrinfo(found);
    return fd < 0 ? pmi_fail(fd, "PMI_PORT=%.100s: %s", address, strerror(-fd)) : fd;
}
