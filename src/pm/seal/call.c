/* call.c — connects to a program that listens for those that know its secret, by the line that it
 * has written. */
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
#include "pm/seal/pm_call.h"

enum { AGAIN_MS = 20, AGAIN_MAX_MS = 1000, NS_PER_MS = 1000000 };

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

int pm_call_ms_until(uint64_t end_ns)
{
    uint64_t now = os_time_ns();

    return now < end_ns ? (int) ((end_ns - now) / NS_PER_MS) + 1 : 0;
}

/* Signals do not end the wait: ranks have those of their program. */
static int poll_until(struct pollfd *p, int n, uint64_t end_ns)
{
    int found;

    do
        found = poll(p, (nfds_t) n, pm_call_ms_until(end_ns));
    while (found < 0 && errno == EINTR);
    return found;
}

/* Reads all of len bytes: 0, or -errno. */
static int read_all(int fd, unsigned char *to, size_t len, uint64_t end_ns)
{
    for (size_t n = 0; n < len;) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        int found = poll_until(&p, 1, end_ns);
        ssize_t got = found > 0 ? read(fd, to + n, len - n) : -1;
        if (!found)
            return -ETIMEDOUT;
        if (!got)
            return -ECONNRESET;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        n += got > 0 ? (size_t) got : 0;
    }
    return 0;
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

static bool add_address(struct pm_callee *a, const char *text, int port)
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

int pm_call_parse(char *line, struct pm_callee *to)
{
    char *rest = line;
    const char *magic = strtok_r(rest, " \n", &rest), *hex = strtok_r(NULL, " \n", &rest);
    const char *number = strtok_r(NULL, " \n", &rest), *address;
    long port = number ? strtol(number, NULL, 10) : 0;

    to->count = 0;
    if (!magic || strcmp(magic, "starling") != 0 || !hex || !read_secret(hex, to->secret)
        || port < 1 || port > UINT16_MAX)
        return -EBADMSG;
    while (to->count < PM_CALL_ADDRESSES && (address = strtok_r(NULL, " \n", &rest)))
        if (!add_address(to, address, (int) port))
            return -EBADMSG;
    return to->count ? 0 : -EBADMSG;
}

/* ---- the connection -------------------------------------------------------------------------- */

/* Connects to all at once; the first that answers is taken. */
static int connect_to_one(const struct pm_callee *a, uint64_t end_ns)
{
    struct pollfd p[PM_CALL_ADDRESSES];
    int taken = -1, err = -ETIMEDOUT, left = a->count;

    for (int i = 0; i < a->count; i++) {
        p[i] = (struct pollfd) { .fd = socket(a->of[i].ss_family,
                                              SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                                 .events = POLLOUT };
        if (p[i].fd >= 0)
            (void) connect(p[i].fd, (const struct sockaddr *) &a->of[i], a->len[i]);
    }
    while (taken < 0 && left && poll_until(p, a->count, end_ns) > 0)
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

/* It begins its stream when it has accepted the call. */
static int wait_for_answer(int fd, uint64_t end_ns)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char first;

    if (poll_until(&p, 1, end_ns) <= 0)
        return -ETIMEDOUT;
    ssize_t n = recv(fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    return n > 0 ? 0 : n ? -errno : -ECONNRESET;
}

static int call_introduce(int fd, const struct pm_callee *to, const char *name,
                          struct pm_seal **seal, uint64_t end_ns)
{
    unsigned char of_owner[PM_CHALLENGE], own[PM_CHALLENGE];
    struct pm_bytes q = { .bytes = NULL };
    char text[PM_CALL_NAME];
    int len = snprintf(text, sizeof text, "%.*s\n", (int) sizeof text - 2, name);
    int err = read_all(fd, of_owner, sizeof of_owner, end_ns);

    if (err)
        return err;
    pm_seal_random(own, sizeof own);
    *seal = pm_seal_create(to->secret, of_owner, own, true);
    err = *seal ? pm_bytes_add(&q, own, sizeof own) : -ENOMEM;
    if (!err)
        err = pm_seal_put(*seal, text, (size_t) len, &q);
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

int pm_call_to(const struct pm_callee *to, const struct pm_caller *caller, struct pm_seal **seal,
               char *why, size_t len)
{
    int err = pm_seal_is_possible() ? 0 : -ELIBACC;

    *seal = NULL;
    for (int pause_ms = AGAIN_MS; !err; pause_ms = again_in(pause_ms)) {
        int fd = connect_to_one(to, caller->end_ns);
        if (fd < 0)
            return call_fail(why, len, fd, "cannot connect to %s: %s", caller->whom, strerror(-fd));
        err = call_introduce(fd, to, caller->name, seal, caller->end_ns);
        if (!err)
            return fd;
        (void) close(fd);
        pm_seal_free(*seal);
        *seal = NULL;
        if (!was_closed(err) || pm_call_ms_until(caller->end_ns) <= pause_ms)
            break;
        err = 0;
        (void) poll(NULL, 0, pause_ms);
    }
    if (err == -ELIBACC)
        return call_fail(why, len, err, "cannot connect to %s without libsodium", caller->whom);
    return call_fail(why, len, err, "cannot introduce itself to %s: %s", caller->whom,
                     strerror(-err));
}
