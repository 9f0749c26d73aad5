/* wire.c — sends lines to the launcher and receives them. The received bytes are not trusted. The
 * launcher has made the socket, so that it may be blocking or not: no call here relies on that. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"

struct pmi_client pmi_client = { .fd = -1, .calls = -1 };

static char error[512];

const char *pmi_error_text(void) { return error; }

int pmi_fail(int err, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(error, sizeof error, fmt, args);
    va_end(args);
    return err;
}

int pmi_check_joined(void)
{
    if (pmi_client.state == PMI_JOINED)
        return pmi_client.broken; /* pmi_error_text() has not changed since */
    return pmi_fail(-ENOTCONN, pmi_client.state == PMI_SINGLETON
                                   ? "this process was not started by a launcher"
                                   : "this process has not joined a launcher");
}

static int wait_for(short events, int timeout_ms)
{
    struct pollfd p = { .fd = pmi_client.fd, .events = events };
    uint64_t start = os_time_ns();

    for (;;) {
        int left = timeout_ms;
        if (timeout_ms >= 0) {
            uint64_t passed = (os_time_ns() - start) / 1000000;
            left = passed < (uint64_t) timeout_ms ? timeout_ms - (int) passed : 0;
        }
        int n = poll(&p, 1, left);
        if (n > 0)
            return 0;
        if (!n)
            return PMI_BREAK(-ETIMEDOUT, "the launcher (%s) has not answered for %d s",
                             pmi_client.launcher, timeout_ms / 1000);
        if (errno != EINTR)
            return PMI_BREAK(-errno, "poll of %s: %s", pmi_client.launcher, strerror(errno));
    }
}

static int launcher_closed_error(void)
{
    return PMI_BREAK(-ECONNRESET, "the launcher (%s) closed the connection", pmi_client.launcher);
}

int pmi_send(const char *line, size_t len)
{
    while (len) {
        ssize_t n = send(pmi_client.fd, line, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            line += n;
            len -= (size_t) n;
        } else if (errno == EAGAIN) {
            int err = wait_for(POLLOUT, -1);
            if (err)
                return err;
        } else if (errno == EPIPE || errno == ECONNRESET) {
            return launcher_closed_error();
        } else if (errno != EINTR) {
            return PMI_BREAK(-errno, "send to %s: %s", pmi_client.launcher, strerror(errno));
        }
    }
    return 0;
}

int pmi_receive(void)
{
    struct pmi_client *c = &pmi_client;

    memmove(c->in, c->in + c->used, c->len - c->used);
    c->len -= c->used;
    c->used = 0;
    if (c->len == sizeof c->in)
        return PMI_BREAK(-EPROTO, "the launcher (%s) sent more than %zu bytes without a newline",
                         c->launcher, sizeof c->in - 1);
    char *to = c->in + c->len;
    size_t room = sizeof c->in - c->len;
    ssize_t n = c->passed ? os_receive_passed(c->fd, to, room, c->passed)
                          : os_receive_some(c->fd, to, room);
    if (n == -ECONNRESET)
        return launcher_closed_error();
    if (n < 0)
        return PMI_BREAK((int) n, "recv from %s: %s", c->launcher, strerror((int) -n));
    c->len += (size_t) n;
    return n > 0;
}

int pmi_next_line(char **line, size_t scanned)
{
    struct pmi_client *c = &pmi_client;
    char *start = c->in + c->used, *end = memchr(start + scanned, '\n', c->len - c->used - scanned);

    if (!end)
        return 0;
    *end = '\0';
    c->used = (size_t) (end + 1 - c->in);
    if (strlen(start) != (size_t) (end - start))
        return PMI_BREAK(-EPROTO, "the launcher (%s) sent a NUL byte", c->launcher);
    *line = start;
    return 1;
}

int pmi_read_line(char **line)
{
    struct pmi_client *c = &pmi_client;
    size_t scanned = 0;
    int found, got = 0;

    while (!(found = pmi_next_line(line, scanned)) && got >= 0) {
        scanned = c->len - c->used;
        got = pmi_receive();
        if (!got)
            got = wait_for(POLLIN, c->reply_timeout_ms);
    }
    if (found)
        return found < 0 ? found : 0;
    return got;
}

const char *pmi_printable(const char *text, size_t len)
{
    static char shown[64];
    size_t n = strnlen(text, len < sizeof shown ? len : sizeof shown - 1);

    for (size_t i = 0; i < n; i++)
        shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    shown[n] = '\0';
    return shown;
}

int pmi_wait(void) { return wait_for(POLLIN, -1); }

int pmi_rc(const char *reply)
{
    int rc, err = pmi_line_int(reply, "rc", &rc);

    if (err == -ENOENT)
        return 0;
    if (!err)
        err = rc;
    return err;
}
