/* tx.c — the outgoing stream of packets.
 *
 * What the kernel has room for is written at once. Nothing is held back to be sent together with a
 * later packet, because ADI3 may not call the device again for a long time. What the kernel has no
 * room for is queued, and written later, many packets with one call. An error is stored in the
 * connection; poll reports it. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "devices/sockets/sock_impl.h"

enum { RANGES = 64, BATCH = 1 << 20 /* bytes with one call */, STAGE = 1 << 16 };

/* Staging buffer for noncontiguous payloads of one call. What the kernel does not take of it is
 * gathered again. */
static char stage[STAGE];

/* The connection is shut down, not closed: receiving goes on until all that the peer sent before is
 * read, and then reports the error. */
static int conn_shut_down(struct conn *c, int err)
{
    c->error = err;
    (void) shutdown(c->fd, SHUT_RDWR);
    return err;
}

int sock_write_failed(struct conn *c)
{
    return errno == EAGAIN || errno == EINTR ? 0 : conn_shut_down(c, -errno);
}

ssize_t sock_write_iov(struct conn *c, struct iovec *v, int nranges)
{
    struct msghdr m = { .msg_iov = v, .msg_iovlen = (size_t) nranges };
    ssize_t n = sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);

    return n < 0 ? sock_write_failed(c) : n;
}

int sock_save_unsent(struct conn *c, const struct iovec *v, int nranges, size_t sent)
{
    size_t len = 0, at = 0;

    for (int i = 0; i < nranges; i++)
        len += v[i].iov_len;
    if (!(c->unsent = malloc(len - sent)))
        return conn_shut_down(c, -ENOMEM);
    c->unsent_len = len - sent;
    c->unsent_at = 0;
    for (int i = 0; i < nranges; i++) {
        size_t skip = sent < v[i].iov_len ? sent : v[i].iov_len;
        if (v[i].iov_len > skip)
            memcpy(c->unsent + at, (const char *) v[i].iov_base + skip, v[i].iov_len - skip);
        at += v[i].iov_len - skip;
        sent -= skip;
    }
    sock_conn_block(c, true);
    return 0;
}

/* Gathers as much of the payload of op as the staging buffer has room for. */
static struct iovec payload_stage(const struct dev_send *op, size_t *staged)
{
    size_t head = sock_head_len(&op->pkt), at = op->sent > head ? op->sent - head : 0;
    size_t left = (size_t) op->pkt.payload - at;
    struct iovec range = { stage + *staged, left < STAGE - *staged ? left : STAGE - *staged };

    op->memory->gather(op->memory, at, range.iov_base, range.iov_len);
    *staged += range.iov_len;
    return range;
}

/* Writes the unsent ranges of op to v and returns their number. */
static int unsent_ranges(const struct dev_send *op, struct iovec *v, size_t *total, size_t *staged)
{
    size_t skip = op->sent;
    int n = 0;

    for (int i = -1; i < op->iovcnt; i++) {
        struct iovec range =
            i < 0 ? (struct iovec) { (void *) (uintptr_t) &op->pkt, sock_head_len(&op->pkt) }
                  : op->iov[i];
        size_t cut = skip < range.iov_len ? skip : range.iov_len;
        skip -= cut;
        if (range.iov_len > cut)
            v[n++] = (struct iovec) { (char *) range.iov_base + cut, range.iov_len - cut };
        *total += range.iov_len - cut;
    }
    if (op->memory) {
        v[n] = payload_stage(op, staged);
        *total += v[n++].iov_len;
    }
    return n;
}

/* Removes what is more than the bytes that one poll may move. */
static void iov_limit_total(struct iovec *v, int nranges, size_t *total)
{
    const size_t most = sock_at_once();

    for (; *total > most; nranges--) {
        size_t over = *total - most, range = v[nranges - 1].iov_len;
        v[nranges - 1].iov_len -= range < over ? range : over;
        *total -= range < over ? range : over;
    }
}

static int queue_gather_iov(const struct sock_peer *p, struct iovec v[RANGES], size_t *total)
{
    const struct conn *c = p->up;
    size_t staged = 0;
    int n = 0;

    *total = 0;
    if (c->unsent) {
        *total = c->unsent_len - c->unsent_at;
        v[n++] = (struct iovec) { c->unsent + c->unsent_at, *total };
    }
    for (const struct dev_send *op = p->queue;
         op && n + 1 + DEV_IOV_MAX <= RANGES && *total < BATCH && staged < STAGE; op = op->next)
        n += unsent_ranges(op, v + n, total, &staged);
    iov_limit_total(v, n, total);
    return n;
}

static size_t consume_unsent(struct conn *c, size_t n)
{
    size_t len = c->unsent ? c->unsent_len - c->unsent_at : 0;

    if (n < len) {
        c->unsent_at += n;
        return 0;
    }
    free(c->unsent);
    c->unsent = NULL;
    return n - len;
}

/* Advances the queue by n written bytes and reports the packets that are complete. */
static void queue_advance(struct sock_peer *p, size_t n)
{
    n = consume_unsent(p->up, n);
    while (p->queue && n) {
        struct dev_send *op = p->queue;
        size_t left = sock_head_len(&op->pkt) + (size_t) op->pkt.payload - op->sent;
        size_t now = n < left ? n : left;
        op->sent += now;
        n -= now;
        if (now < left)
            return;
        if (!(p->queue = op->next))
            p->tail = &p->queue;
        op->done(op, 0);
    }
}

/* Writes the queue until it is empty, the socket is full, or one poll has moved its limit. */
static bool write_queue(struct sock_peer *p, struct conn *c)
{
    struct iovec v[RANGES];
    bool moved = false;
    size_t total;

    while (p->queue || c->unsent) {
        ssize_t n = sock_write_iov(c, v, queue_gather_iov(p, v, &total));
        if (n < 0)
            return moved;
        moved |= n > 0;
        queue_advance(p, (size_t) n);
        if ((size_t) n < total || (size_t) n == sock_at_once())
            sock_conn_block(c, p->queue || c->unsent);
        if (c->blocked)
            return moved;
    }
    (void) sock_conn_watch(c, false);
    return moved;
}

bool sock_flush(struct sock_peer *p)
{
    struct conn *c = p->up;

    if (!c || p->flushing || c->error)
        return false;
    sock_conn_block(c, false);
    p->flushing = true;
    bool moved = write_queue(p, c);
    p->flushing = false;
    return moved;
}

/* The close packet is a header with an impossible payload length. */
void sock_send_close(struct conn *c)
{
    struct dev_pkt close_pkt = { .payload = UINT64_MAX, .flags = DEV_PLAIN };
    struct iovec v[2] = { { c->unsent ? c->unsent + c->unsent_at : NULL,
                            c->unsent ? c->unsent_len - c->unsent_at : 0 },
                          { &close_pkt, SOCK_PLAIN } };
    char *old = c->unsent;

    sock_conn_state(c, CONN_CLOSING);
    if (sock_save_unsent(c, v, 2, 0))
        c->unsent = NULL;
    free(old);
    sock_send_close_more(c);
}

void sock_send_close_more(struct conn *c)
{
    if (c->unsent && !c->error) {
        struct iovec v = { c->unsent + c->unsent_at, c->unsent_len - c->unsent_at };
        ssize_t n = sock_write_iov(c, &v, 1);
        if (n >= 0)
            (void) consume_unsent(c, (size_t) n);
    }
    if (c->unsent && !c->error)
        return;
    sock_conn_block(c, false);
    (void) sock_conn_watch(c, false);
    (void) shutdown(c->fd, SHUT_WR);
}
