/* peer.c — a peer: added, connected, closed in order, lost. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "devices/sockets/sock_impl.h"

int sock_add_peer(struct dev_peer *peer)
{
    struct sock_endpoint endpoint;
    struct sock_peer *p;

    if (!peer->endpoint || sock_endpoint_parse(peer->endpoint, &endpoint))
        return -EHOSTUNREACH;
    if (!(p = calloc(1, sizeof *p)))
        return -ENOMEM;
    p->peer = peer;
    p->at = sock_first_address(&endpoint);
    p->tail = &p->queue;
    p->next = sock_dev.peers;
    if (p->next)
        p->next->prev = p;
    sock_dev.peers = p;
    peer->can_get = false;
    peer->priv = p;
    return 0;
}

/* Ends a payload that is incomplete. */
static void end_payload(struct conn *c, int err)
{
    if (!c->in_payload)
        return;
    c->in_payload = false;
    sock_dev.env->up->recv_end(&c->target, err);
}

/* Sends the close packet also on an attempt whose proof is sent: the peer may take it for
 * connected. */
static void peer_disconnect(struct sock_peer *p)
{
    struct conn *c = p->up;

    if (!c && p->dial && p->dial->proof_sent) {
        c = p->dial->attempt[0];
        p->dial->attempts = 0;
    }
    p->up = NULL;
    sock_dial_end(p);
    if (!c)
        return;
    end_payload(c, -ECONNRESET);
    c->peer = NULL;
    sock_send_close(c);
}

void sock_del_peer(struct dev_peer *peer)
{
    struct sock_peer *p = peer->priv;

    if (!p)
        return;
    *(p->prev ? &p->prev->next : &sock_dev.peers) = p->next;
    if (p->next)
        p->next->prev = p->prev;
    if (!p->lost)
        p->lost = -ECONNRESET;
    peer_disconnect(p);
    sock_peer_fail_queue(p, -ECONNRESET);
    peer->priv = NULL;
    free(p);
}

static struct sock_peer *find_peer(const struct dev_job *job, int rank)
{
    struct sock_peer *p = sock_dev.peers;

    while (p && (p->peer->rank != rank || p->peer->job != job))
        p = p->next;
    return p;
}

/* The upcall adds the peer, to this device or to another one; in that case the result is NULL. */
struct sock_peer *sock_peer_find(const struct dev_job *job, int rank)
{
    struct sock_peer *p = find_peer(job, rank);

    return p || !sock_dev.env->up->peer(job, rank) ? p : find_peer(job, rank);
}

/* The address of the peer. A socket for both versions of IP shows an IPv4 address as IPv6, which is
 * undone. */
static struct os_ip address_of(const struct conn *c)
{
    static const unsigned char mapped[12] = { [10] = 0xff, 0xff };
    struct sockaddr_storage s = { .ss_family = AF_UNSPEC };
    struct sockaddr *sa = (struct sockaddr *) &s;
    socklen_t len = sizeof s;
    struct os_ip a = { .v6 = false };

    if (getpeername(c->fd, sa, &len) || !os_ip_from(sa, &a))
        return a;
    if (a.v6 && !memcmp(a.ip, mapped, sizeof mapped)) {
        a.v6 = false;
        memmove(a.ip, a.ip + sizeof mapped, 4);
    }
    return a;
}

void sock_describe(const struct dev_peer *peer, char *text, size_t len)
{
    const struct sock_peer *p = peer->priv;

    if (!p || !inet_ntop(p->at.v6 ? AF_INET6 : AF_INET, p->at.ip, text, (socklen_t) len))
        text[0] = '\0';
}

void sock_peer_up(struct sock_peer *p, struct conn *c)
{
    if (p->dial)
        p->dial->attempts -= c->state == CONN_PROOF_SENT; /* c is the only attempt in that state */
    sock_dial_end(p);
    c->peer = p;
    p->up = c;
    p->at = address_of(c);
    sock_conn_state(c, CONN_UP);
    (void) sock_flush(p);
}

void sock_peer_fail_queue(struct sock_peer *p, int err)
{
    while (p->queue) {
        struct dev_send *op = p->queue;
        if (!(p->queue = op->next))
            p->tail = &p->queue;
        op->done(op, err);
    }
}

void sock_peer_lose(struct sock_peer *p, int err)
{
    struct conn *c = p->up;

    if (p->lost)
        return;
    p->lost = err;
    p->up = NULL;
    sock_dial_end(p);
    if (c) {
        sock_conn_close(c);
        end_payload(c, err);
    }
    sock_peer_fail_queue(p, err);
    sock_dev.env->up->peer_lost(p->peer, err);
}

/* The peer closes in order if this process has nothing left to send to it; otherwise it is lost.
 * After an orderly close either side may connect again. */
void sock_peer_closed(struct sock_peer *p)
{
    struct conn *c = p->up;

    if (p->queue || c->unsent) {
        sock_peer_lose(p, -EPIPE);
        return;
    }
    p->up = NULL;
    c->peer = NULL;
    sock_send_close(c);
    sock_conn_close(c); /* the peer sends nothing more: no need to wait */
}
