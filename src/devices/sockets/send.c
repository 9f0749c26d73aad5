/* send.c — inject and send: on the connection of the peer. Where there is none they start to
 * connect: inject says DEV_AGAIN meanwhile, send queues the packet. */
#include <string.h>
#include <sys/socket.h>
#include "devices/sockets/sock_impl.h"

enum { COPY = 1024 /* bytes of a payload that is copied */ };

/* One buffer costs the kernel less than two: a small payload is copied behind its header first. */
static ssize_t write_small(struct conn *c, const struct iovec v[2])
{
    char buf[sizeof(struct dev_pkt) + COPY];

    memcpy(buf, v[0].iov_base, v[0].iov_len);
    if (v[1].iov_len)
        memcpy(buf + v[0].iov_len, v[1].iov_base, v[1].iov_len);
    ssize_t n = send(c->fd, buf, v[0].iov_len + v[1].iov_len, MSG_NOSIGNAL | MSG_DONTWAIT);
    return n < 0 ? sock_write_failed(c) : n;
}

int sock_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    struct sock_peer *p = to->priv;
    struct conn *c = p->up;
    struct iovec v[2] = { { (void *) (uintptr_t) pkt, sock_head_len(pkt) },
                          { (void *) (uintptr_t) data, (size_t) pkt->payload } };

    if (!c) {
        int rc = p->lost;
        if (!rc)
            rc = sock_dial(p);
        if (!rc)
            rc = DEV_AGAIN;
        return rc;
    }
    if (c->error)
        return c->error;
    if (p->queue || c->blocked)
        return DEV_AGAIN;
    ssize_t n = v[1].iov_len <= COPY ? write_small(c, v) : sock_write_iov(c, v, 2);
    if (n == (ssize_t) (v[0].iov_len + v[1].iov_len))
        return 0;
    if (n > 0)
        return sock_save_unsent(c, v, 2, (size_t) n);
    if (n == 0)
        sock_conn_block(c, true);
    return n < 0 ? (int) n : DEV_AGAIN;
}

void sock_send(struct dev_peer *to, struct dev_send *op)
{
    struct sock_peer *p = to->priv;
    int rc = p->lost;

    if (!rc && !p->up)
        rc = sock_dial(p);
    if (rc) {
        op->done(op, rc);
        return;
    }
    op->next = NULL;
    op->sent = 0;
    *p->tail = op;
    p->tail = &op->next;
    if (p->up && !p->up->blocked)
        (void) sock_flush(p);
}
