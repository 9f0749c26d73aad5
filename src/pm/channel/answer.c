/* answer.c — mpiexec answers the calls of proxies. What comes from the network may be anything. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "pm/node/loop.h"
#include "platform/os.h"
#include "pm/channel/pm_answer.h"

enum {
    ADDRESSES = 16,
    AT_ONCE = 256,   /* calls of which nothing is known yet */
    OF_ADDRESS = 64, /* of these, from the same address */
    BACKLOG = 1024,
    CALL_MS = 10000,              /* until a call has said what it wants */
    HEAD = PM_CHALLENGE + 24 + 4, /* challenge, header of the stream, length of a record */
    RECORD = PM_CALL_NAME + 32,
};

struct call {
    struct pm_answers *answers;
    struct call *next;
    int fd;
    struct pm_source readable;
    struct pm_timer timer;
    unsigned char challenge[PM_CHALLENGE];
    struct pm_seal *seal;
    struct pm_bytes sealed;
    size_t need; /* bytes, until more is known */
    char from[INET6_ADDRSTRLEN];
};

struct pm_answers {
    struct pm_answer_events events;
    unsigned char secret[PM_SECRET];
    int fd;
    struct pm_source readable;
    struct call *calls;
    int at_once;
    int refused; /* calls */
    bool in_event, closed;
};

/* ---- a call ---------------------------------------------------------------------------------- */

/* The connection is closed, unless its fd is -1. */
static void call_end(struct call *c)
{
    struct call **at = &c->answers->calls;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    c->answers->at_once--;
    pm_timer_clear(&c->timer);
    pm_loop_forget(&c->readable);
    if (c->fd >= 0) {
        pm_loop_drop(c->fd);
        (void) close(c->fd);
    }
    pm_seal_free(c->seal);
    pm_bytes_free(&c->sealed);
    free(c);
}

/* The first one gets a line. */
static void call_refuse(struct call *c, const char *why)
{
    if (!c->answers->refused++)
        pm_log("a connection from %s has been refused: %s", c->from, why);
    call_end(c);
}

static void timed_out(struct pm_timer *t)
{
    call_refuse(OS_OWNER(t, struct call, timer), "it does not say what it wants");
}

/* The caller waits for this, the first bytes of the stream: a call may have lost its place. */
static int accept_call(struct call *c)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_seal_put(c->seal, NULL, 0, &q);

    if (!err && send(c->fd, q.bytes, q.len, MSG_NOSIGNAL) != (ssize_t) q.len)
        err = -EPIPE; /* it has gone */
    pm_bytes_free(&q);
    return err;
}

/* The first record has come. */
static void call_identify(struct call *c)
{
    struct pm_answers *a = c->answers;
    struct pm_bytes plain = { .bytes = NULL };
    char name[PM_CALL_NAME];
    int fd = c->fd;

    pm_bytes_take(&c->sealed, PM_CHALLENGE);
    int err = pm_seal_get(c->seal, &c->sealed, &plain);
    const char *from = pm_bytes_first(&plain);
    size_t len = plain.len && from[plain.len - 1] == '\n' ? plain.len - 1 : 0;
    if (len && len < sizeof name && !memchr(from, '\0', len)) {
        memcpy(name, from, len);
        name[len] = '\0';
    } else {
        *name = '\0';
    }
    pm_bytes_free(&plain);
    if (err || !*name) {
        call_refuse(c, "it does not know the secret");
        return;
    }
    if (accept_call(c)) {
        call_refuse(c, strerror(ENOMEM));
        return;
    }
    pm_loop_drop(fd);
    struct pm_seal *seal = c->seal;
    c->fd = -1;
    c->seal = NULL;
    call_end(c);
    a->in_event = true;
    if (a->events.take_call(a->events.owner, name, fd, seal)) {
        pm_log("a proxy on %s has been refused: none is expected there", name);
        pm_seal_free(seal);
        (void) close(fd);
    }
    a->in_event = false;
    if (a->closed)
        free(a);
}

/* What is needed has come: the challenge and the length of the record, or that as well. */
static void go_on(struct call *c)
{
    const unsigned char *from = (const unsigned char *) pm_bytes_first(&c->sealed);
    size_t record = from[HEAD - 4] | (size_t) from[HEAD - 3] << 8 | (size_t) from[HEAD - 2] << 16
                    | (size_t) from[HEAD - 1] << 24;

    if (c->seal) {
        call_identify(c);
        return;
    }
    c->seal = pm_seal_create(c->answers->secret, c->challenge, from, false);
    c->need += record;
    if (!c->seal)
        call_refuse(c, strerror(ENOMEM));
    else if (!record || record > RECORD)
        call_refuse(c, "it does not know the secret");
}

static void call_readable(struct pm_source *s)
{
    struct call *c = OS_OWNER(s, struct call, readable);
    size_t room = c->need - c->sealed.len;
    char *to = pm_bytes_room(&c->sealed, room);
    ssize_t n = to ? read(c->fd, to, room) : -1;

    if (n > 0) {
        c->sealed.len += (size_t) n;
        if (c->sealed.len == c->need)
            go_on(c);
    } else if (!n || (errno != EAGAIN && errno != EINTR)) {
        call_end(c);
    }
}

/* ---- the listener ---------------------------------------------------------------------------- */

static void name_caller(struct call *c)
{
    struct sockaddr_storage a;
    socklen_t len = sizeof a;

    (void) snprintf(c->from, sizeof c->from, "?");
    if (getpeername(c->fd, (struct sockaddr *) &a, &len))
        return;
    const void *bytes = a.ss_family == AF_INET6 ? (void *) &((struct sockaddr_in6 *) &a)->sin6_addr
                                                : (void *) &((struct sockaddr_in *) &a)->sin_addr;
    (void) inet_ntop(a.ss_family, bytes, c->from, sizeof c->from);
}

/* A proxy says at once what it wants. A call that has been silent for longer than others makes room
 * for a new one, if need be: first one of the same address, so that an address that holds
 * connections is in the way of proxies of the own host alone. These call again. */
static void make_room(struct pm_answers *a, const char *from)
{
    struct call *oldest = NULL, *oldest_same = NULL;
    int same = 0;

    for (struct call *c = a->calls; c; c = c->next) { /* new ones are in front */
        oldest = c;
        if (strcmp(c->from, from) != 0)
            continue;
        oldest_same = c;
        same++;
    }
    if (same > OF_ADDRESS)
        call_end(oldest_same);
    else if (a->at_once > AT_ONCE)
        call_end(oldest);
}

static void listener_readable(struct pm_source *s)
{
    struct pm_answers *a = OS_OWNER(s, struct pm_answers, readable);
    int fd = accept4(a->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct call *c = fd >= 0 ? calloc(1, sizeof *c) : NULL;

    if (!c) {
        if (fd >= 0)
            (void) close(fd);
        return;
    }
    *c = (struct call) {
        .answers = a, .next = a->calls, .fd = fd, .readable.ready = call_readable, .need = HEAD
    };
    a->calls = c;
    a->at_once++;
    name_caller(c);
    make_room(a, c->from);
    pm_seal_random(c->challenge, sizeof c->challenge);
    pm_timer_set(&c->timer, CALL_MS, timed_out);
    if (pm_loop_watch(fd, true, false, &c->readable)
        || send(fd, c->challenge, sizeof c->challenge, MSG_NOSIGNAL) != sizeof c->challenge)
        call_end(c);
}

void pm_answers_close(struct pm_answers *a)
{
    if (a->refused > 1)
        pm_log("%d more connections have been refused", a->refused - 1);
    while (a->calls)
        call_end(a->calls);
    pm_loop_drop(a->fd);
    pm_loop_forget(&a->readable);
    (void) close(a->fd);
    a->closed = true;
    if (!a->in_event)
        free(a);
}

/* A listening socket, or -errno. IPv6 stands for both families. */
static int listen_at(int family, int port)
{
    struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t) port) };
    struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons((uint16_t) port) };
    const void *address = family == AF_INET6 ? (void *) &six : (void *) &four;
    socklen_t len = family == AF_INET6 ? sizeof six : sizeof four;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, off = 0;

    if (fd < 0)
        return -errno;
    /* A port that was closed a moment ago can be used. */
    (void) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if ((family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off))
        || bind(fd, address, len) || listen(fd, BACKLOG)) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    return fd;
}

static int listen_in(int family, const struct pm_ports *ports)
{
    int fd = -EADDRINUSE;

    for (int port = ports->low; fd == -EADDRINUSE && port <= ports->high; port++)
        fd = listen_at(family, port);
    return fd;
}

/* For both families, or for IPv4 alone. */
static int listen_anywhere(struct pm_answers *a, const struct pm_ports *ports, int *port)
{
    struct sockaddr_in6 six = { .sin6_port = 0 };
    socklen_t len = sizeof six;

    a->fd = listen_in(AF_INET6, ports);
    if (a->fd < 0 && a->fd != -EADDRINUSE)
        a->fd = listen_in(AF_INET, ports);
    if (a->fd < 0)
        return a->fd;
    int err = getsockname(a->fd, (struct sockaddr *) &six, &len) ? -errno : 0;
    *port = ntohs(six.sin6_port); /* at the same place in both families */
    if (!err)
        err = pm_loop_watch(a->fd, true, false, &a->readable);
    if (err)
        (void) close(a->fd);
    return err;
}

/* Whether others may reach the address, and its text. */
static bool is_usable(const struct ifaddrs *i, bool loopback, char *text, size_t len)
{
    if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || !(i->ifa_flags & IFF_LOOPBACK) == loopback)
        return false;
    const struct sockaddr_in6 *six = (const void *) i->ifa_addr;
    const struct sockaddr_in *four = (const void *) i->ifa_addr;
    if (i->ifa_addr->sa_family == AF_INET)
        return inet_ntop(AF_INET, &four->sin_addr, text, (socklen_t) len);
    return i->ifa_addr->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)
           && inet_ntop(AF_INET6, &six->sin6_addr, text, (socklen_t) len);
}

/* Adds the addresses of this host to the line, and returns how many. */
static int add_addresses(const struct ifaddrs *list, bool loopback, char *line, size_t len)
{
    char text[INET6_ADDRSTRLEN];
    int count = 0;

    for (const struct ifaddrs *i = list; i && count < ADDRESSES; i = i->ifa_next) {
        size_t n = strlen(line);
        if (is_usable(i, loopback, text, sizeof text) && n + strlen(text) + 3 < len) {
            (void) snprintf(line + n, len - n, " %s", text);
            count++;
        }
    }
    return count;
}

static void write_line(const struct pm_answers *a, int port, const struct ifaddrs *list, char *line,
                       size_t len)
{
    size_t n = (size_t) snprintf(line, len, "starling ");

    for (size_t i = 0; i < PM_SECRET; i++)
        n += (size_t) snprintf(line + n, len - n, "%02x", a->secret[i]);
    (void) snprintf(line + n, len - n, " %d", port);
    if (!add_addresses(list, false, line, len))
        (void) add_addresses(list, true, line, len);
    n = strlen(line);
    (void) snprintf(line + n, len - n, "\n");
}

struct pm_answers *pm_answers_open(const struct pm_answer_events *events,
                                   const struct pm_ports *ports, char *line, size_t len)
{
    struct pm_answers *a = calloc(1, sizeof *a);
    struct ifaddrs *list = NULL;
    int port = 0, err = a ? 0 : -ENOMEM;

    if (!err) {
        a->events = *events;
        a->readable.ready = listener_readable;
        pm_seal_random(a->secret, sizeof a->secret);
        err = getifaddrs(&list) ? -errno : listen_anywhere(a, ports, &port);
    }
    if (!err)
        write_line(a, port, list, line, len);
    freeifaddrs(list);
    if (!err)
        return a;
    free(a);
    errno = -err;
    return NULL;
}
