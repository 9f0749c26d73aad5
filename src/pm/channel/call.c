/* call.c — a proxy connects to mpiexec, at the addresses that it reads from standard input. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/channel/pm_call.h"

enum { ADDRESSES = 16, WAIT_MS = 20000, AGAIN_MS = 20, AGAIN_MAX_MS = 1000, NS_PER_MS = 1000000 };

static int call_fail(char *why, size_t len, int err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static int call_fail(char *why, size_t len, int err, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(why, len, fmt, args);
    va_end(args);
    return err;
}

static int ms_until(uint64_t end_ns)
{
    uint64_t now = os_time_ns();

    return now < end_ns ? (int) ((end_ns - now) / NS_PER_MS) + 1 : 0;
}

/* Reads all of len bytes, or to the end of a line with line; returns how many, or -errno. */
static ssize_t read_all(int fd, char *to, size_t len, bool line, uint64_t end_ns)
{
    size_t n = 0;

    while (n < len && !(line && n && to[n - 1] == '\n')) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        int found = poll(&p, 1, ms_until(end_ns));
        ssize_t got = found > 0 ? read(fd, to + n, line ? 1 : len - n) : -1;
        if (!found)
            return -ETIMEDOUT;
        if (!got)
            return -ECONNRESET;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        n += got > 0 ? (size_t) got : 0;
    }
    return (ssize_t) n;
}

/* ---- the line -------------------------------------------------------------------------------- */

static bool read_secret(const char *text, unsigned char secret[PM_SECRET])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < PM_SECRET; i++) {
        const char *high = text[2 * i] ? strchr(digits, text[2 * i]) : NULL;
        const char *low = high && text[2 * i + 1] ? strchr(digits, text[2 * i + 1]) : NULL;
        if (!low)
            return false;
        secret[i] = (unsigned char) ((high - digits) << 4 | (low - digits));
    }
    return !text[2 * PM_SECRET];
}

struct addresses {
    struct sockaddr_storage of[ADDRESSES];
    socklen_t len[ADDRESSES];
    int count;
};

static bool add_address(struct addresses *a, const char *text, int port)
{
    struct sockaddr_in *four = (void *) &a->of[a->count];
    struct sockaddr_in6 *six = (void *) &a->of[a->count];

    if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t) port);
        a->len[a->count++] = sizeof *four;
    } else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t) port);
        a->len[a->count++] = sizeof *six;
    } else {
        return false;
    }
    return true;
}

static int read_line(unsigned char secret[PM_SECRET], struct addresses *a, uint64_t end_ns)
{
    char line[PM_CALL_LINE + 1], *rest = line;
    ssize_t n = read_all(STDIN_FILENO, line, PM_CALL_LINE, true, end_ns);

    if (n <= 0 || line[n - 1] != '\n')
        return n < 0 ? (int) n : -EBADMSG;
    line[n - 1] = '\0';
    const char *magic = strtok_r(rest, " ", &rest), *hex = strtok_r(NULL, " ", &rest);
    const char *number = strtok_r(NULL, " ", &rest), *address;
    long port = number ? strtol(number, NULL, 10) : 0;
    if (!magic || strcmp(magic, "starling") != 0 || !hex || !read_secret(hex, secret) || port < 1
        || port > UINT16_MAX)
        return -EBADMSG;
    a->count = 0;
    while (a->count < ADDRESSES && (address = strtok_r(NULL, " ", &rest)))
        if (!add_address(a, address, (int) port))
            return -EBADMSG;
    return a->count ? 0 : -EBADMSG;
}

/* ---- the connection -------------------------------------------------------------------------- */

/* Connects to all at once; the first that answers is taken. */
static int connect_to_one(const struct addresses *a, uint64_t end_ns)
{
    struct pollfd p[ADDRESSES];
    int taken = -1, err = -ETIMEDOUT, left = a->count;

    for (int i = 0; i < a->count; i++) {
        p[i] = (struct pollfd) { .fd = socket(a->of[i].ss_family,
                                              SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                                 .events = POLLOUT };
        if (p[i].fd >= 0)
            (void) connect(p[i].fd, (const struct sockaddr *) &a->of[i], a->len[i]);
    }
    while (taken < 0 && left && poll(p, (nfds_t) a->count, ms_until(end_ns)) > 0)
        for (int i = 0; i < a->count && taken < 0; i++) {
            int error = 0;
            socklen_t len = sizeof error;
            if (p[i].fd < 0 || !p[i].revents)
                continue;
            (void) getsockopt(p[i].fd, SOL_SOCKET, SO_ERROR, &error, &len);
            if (!error) {
                taken = p[i].fd;
            } else {
                err = -error;
                (void) close(p[i].fd);
                left--;
            }
            p[i].fd = -1;
        }
    for (int i = 0; i < a->count; i++)
        if (p[i].fd >= 0)
            (void) close(p[i].fd);
    return taken < 0 ? err : taken;
}

static void own_name(char *name, size_t len)
{
    const char *given = getenv("SLURMD_NODENAME");

    if (given && *given && strlen(given) < len)
        (void) snprintf(name, len, "%s", given);
    else
        os_hostname(name, len);
}

/* mpiexec begins its stream when it has accepted the call. */
static int wait_for_answer(int fd, uint64_t end_ns)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char first;

    if (poll(&p, 1, ms_until(end_ns)) <= 0)
        return -ETIMEDOUT;
    ssize_t n = recv(fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    return n > 0 ? 0 : n ? -errno : -ECONNRESET;
}

static int call_introduce(int fd, const unsigned char secret[PM_SECRET], struct pm_seal **seal,
                          uint64_t end_ns)
{
    unsigned char of_owner[PM_CHALLENGE], own[PM_CHALLENGE];
    struct pm_bytes q = { .bytes = NULL };
    char name[PM_CALL_NAME];
    ssize_t n = read_all(fd, (char *) of_owner, sizeof of_owner, false, end_ns);

    if (n < 0)
        return (int) n;
    own_name(name, sizeof name - 1);
    size_t len = strlen(name);
    name[len++] = '\n';
    pm_seal_random(own, sizeof own);
    *seal = pm_seal_create(secret, of_owner, own, true);
    int err = *seal ? pm_bytes_add(&q, own, sizeof own) : -ENOMEM;
    if (!err)
        err = pm_seal_put(*seal, name, len, &q);
    if (!err
        && send(fd, q.bytes, q.len, MSG_NOSIGNAL)
               != (ssize_t) q.len) /* short: there is room for it */
        err = -EPIPE;
    pm_bytes_free(&q);
    if (!err)
        err = wait_for_answer(fd, end_ns);
    return err;
}

/* It had no place, which others may hold, or does not know the secret. */
static bool was_closed(int err) { return err == -ECONNRESET || err == -EPIPE; }

static int again_in(int ms) { return ms < AGAIN_MAX_MS ? 2 * ms : ms; }

int pm_call(struct pm_seal **seal, char *why, size_t len)
{
    uint64_t end_ns = os_time_ns() + (uint64_t) WAIT_MS * NS_PER_MS;
    unsigned char secret[PM_SECRET];
    struct addresses a;
    int err = read_line(secret, &a, end_ns);

    if (err)
        return call_fail(why, len, err, "cannot read from standard input how to reach mpiexec: %s",
                         strerror(-err));
    for (int pause_ms = AGAIN_MS;; pause_ms = again_in(pause_ms)) {
        int fd = connect_to_one(&a, end_ns);
        if (fd < 0)
            return call_fail(why, len, fd, "cannot connect to mpiexec: %s", strerror(-fd));
        err = call_introduce(fd, secret, seal, end_ns);
        if (!err)
            return fd;
        (void) close(fd);
        pm_seal_free(*seal);
        *seal = NULL;
        if (!was_closed(err) || ms_until(end_ns) <= pause_ms)
            break;
        (void) poll(NULL, 0, pause_ms);
    }
    return call_fail(why, len, err, "cannot introduce itself to mpiexec: %s", strerror(-err));
}
