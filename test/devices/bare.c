/* bare.c — the handshake of the sockets device done by the test itself, over a bare socket. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "bare.h"
#include "rig.h"

enum { PATIENCE_S = 5 };

static int call_port(uint16_t port)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct timeval patience = { .tv_sec = PATIENCE_S };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(fd >= 0);
    CHECK(!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience));
    CHECK(!connect(fd, (struct sockaddr *) &a, sizeof a));
    return fd;
}

int bare_connect(void)
{
    struct sock_endpoint c;

    CHECK(!sock_endpoint_parse(rig.shared->endpoint[0], &c));
    return call_port(c.port);
}

void bare_send(int fd, const void *data, size_t len)
{
    ssize_t n = send(fd, data, len, MSG_NOSIGNAL);

    CHECK(n == (ssize_t) len || (n < 0 && (errno == EPIPE || errno == ECONNRESET)));
}

bool bare_receive(int fd, void *data, size_t len)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = recv(fd, (char *) data + got, len - got, 0);
        if (n <= 0)
            return false;
        got += (size_t) n;
    }
    return true;
}

void bare_expect_end(int fd)
{
    char byte;
    ssize_t n = recv(fd, &byte, 1, 0);

    CHECK(n == 0 || (n < 0 && errno == ECONNRESET));
    (void) close(fd);
}

void bare_hello_of(struct sock_transcript *t, enum sock_role role, struct sock_name from, int to)
{
    struct sock_hello h = { .role = role, .from = from, .to = { RIG_JOB, to } };

    CHECK(!os_random(h.nonce, sizeof h.nonce));
    sock_hello_write(&h, role == SOCK_DIALER ? t->dialer : t->acceptor);
}

void bare_hello(struct sock_transcript *t, enum sock_role role, int from, int to)
{
    bare_hello_of(t, role, (struct sock_name) { RIG_JOB, from }, to);
}

int bare_handshake(struct sock_transcript *t, int from, unsigned char mac[SOCK_MAC])
{
    int fd = bare_connect();

    bare_hello(t, SOCK_DIALER, from, 0);
    bare_send(fd, t->dialer, SOCK_HELLO);
    CHECK(bare_receive(fd, t->acceptor, SOCK_HELLO) && bare_receive(fd, mac, SOCK_MAC));
    return fd;
}

int bare_listen(uint16_t *port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(fd >= 0 && !bind(fd, (struct sockaddr *) &a, len) && !listen(fd, 16));
    CHECK(!getsockname(fd, (struct sockaddr *) &a, &len));
    *port = ntohs(a.sin_port);
    return fd;
}

int bare_accept(int listener, struct sock_transcript *t)
{
    int fd = accept(listener, NULL, NULL);

    CHECK(fd >= 0);
    CHECK(bare_receive(fd, t->dialer, SOCK_HELLO));
    return fd;
}
