/* relay.c — a network between the processes of a sockets test that forwards every byte, in
 * order, but in pieces of any size and with pauses at any place. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include "rig.h"
#include "devices/sockets/sock_impl.h"

enum { PIPES = 64, PIECE = 1500 };

struct pipe { /* one direction of one connection */
    int from, to;
    char data[PIECE];
    size_t len, sent;
    uint64_t not_before;
};

static struct pipe pipes[PIPES];
static int npipes;
static unsigned dice = 12345;

static unsigned throw(unsigned sides)
{
    dice = dice * 1103515245u + 12345u;
    return (dice >> 16) % sides;
}

static int listener(uint16_t *port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    CHECK(fd >= 0 && !bind(fd, (struct sockaddr *) &a, len) && !listen(fd, 16));
    CHECK(!getsockname(fd, (struct sockaddr *) &a, &len));
    *port = ntohs(a.sin_port);
    return fd;
}

static int call(uint16_t port)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (connect(fd, (struct sockaddr *) &a, sizeof a)) {
        (void) close(fd);
        return -1;
    }
    return fd;
}

static void ready(int fd)
{
    int on = 1;

    CHECK(!os_set_nonblocking(fd));
    CHECK(!setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
}

static void join(int listener_fd, const char *endpoint)
{
    struct sock_endpoint c;
    int a = accept4(listener_fd, NULL, NULL, SOCK_CLOEXEC), b;

    if (a < 0)
        return;
    CHECK(!sock_endpoint_parse(endpoint, &c) && npipes + 2 <= PIPES);
    if ((b = call(c.port)) < 0) {
        (void) close(a);
        return;
    }
    ready(a);
    ready(b);
    pipes[npipes++] = (struct pipe) { .from = a, .to = b };
    pipes[npipes++] = (struct pipe) { .from = b, .to = a };
}

/* An end of the stream is forwarded; the other direction stays open. */
static void fill(struct pipe *p)
{
    size_t most = throw(3) ? 1 + throw(7) : 1 + throw(PIECE);
    ssize_t n = recv(p->from, p->data, most, MSG_DONTWAIT);

    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0) {
        (void) shutdown(p->to, SHUT_WR);
        p->from = -1;
        return;
    }
    p->len = (size_t) n;
    p->sent = 0;
    if (throw(50) == 0)
        p->not_before = os_time_ns() + 1000 * throw(300);
}

static void empty(struct pipe *p)
{
    while (p->sent < p->len) {
        size_t most = p->len - p->sent, piece = throw(2) ? 1 + throw(40) : most;
        ssize_t n = send(p->to, p->data + p->sent, piece < most ? piece : most,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN)
            p->sent = p->len; /* the reader has closed: drop it */
        if (n < 0)
            return;
        p->sent += (size_t) n;
    }
}

static void relay(struct rig_shared *shared, const int *fd, int size)
{
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        uint64_t now = os_time_ns();
        for (int i = 0; i < size; i++)
            join(fd[i], shared->endpoint[i]);
        for (int i = 0; i < npipes; i++) {
            if (now < pipes[i].not_before)
                continue;
            if (pipes[i].sent < pipes[i].len)
                empty(&pipes[i]);
            else if (pipes[i].from >= 0)
                fill(&pipes[i]);
        }
        os_yield();
    }
}

void relay_start(struct rig_shared *shared, int size)
{
    int fd[RIG_MAX];

    for (int i = 0; i < size; i++)
        fd[i] = listener(&shared->relay_port[i]);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (!pid)
        relay(shared, fd, size);
    shared->relay = pid;
    for (int i = 0; i < size; i++)
        (void) close(fd[i]);
}

void relay_endpoint(int to, char endpoint[DEV_ENDPOINT_MAX])
{
    struct sock_endpoint c;

    CHECK(!sock_endpoint_parse(endpoint, &c));
    c.port = rig.shared->relay_port[to];
    sock_endpoint_write(&c, endpoint);
}
