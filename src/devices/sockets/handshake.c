/* handshake.c — the steps of the handshake, for dialer and acceptor. Until it is complete the
 * other side is not trusted: every message has a fixed size, and the first wrong byte ends the
 * connection. */
#include <string.h>
#include <sys/socket.h>
#include "devices/sockets/sock_impl.h"

static struct sock_name own_name(void)
{
    return (struct sock_name) { sock_dev.env->job->id, sock_dev.env->rank };
}

static struct sock_name name_of(const struct dev_peer *peer)
{
    return (struct sock_name) { peer->job->id, peer->rank };
}

static bool is_same_process(struct sock_name a, struct sock_name b)
{
    return a.job == b.job && a.rank == b.rank;
}

/* Receives the expected message of `want` bytes: 1 when it is complete, 0 when it is not yet. */
static int handshake_recv(struct conn *c, size_t want)
{
    while (c->in_len < want) {
        ssize_t n = recv(c->fd, c->in + c->in_len, want - c->in_len, MSG_DONTWAIT);
        if (n == 0)
            return -ECONNRESET;
        if (n < 0 && errno != EINTR)
            return errno == EAGAIN ? 0 : -errno;
        c->in_len += n > 0 ? (size_t) n : 0;
    }
    return 1;
}

/* Whether the first bytes are those of another protocol than Starling's. */
static bool is_other_protocol(const struct conn *c)
{
    unsigned char magic[SOCK_HELLO];

    sock_hello_write(&(struct sock_hello) { .role = SOCK_DIALER }, magic);
    return memcmp(c->in, magic, c->in_len < 8 ? c->in_len : 8) != 0;
}

static int write_hello(struct conn *c, enum sock_role role, struct sock_name to)
{
    struct sock_hello h = { .role = role, .from = own_name(), .to = to };
    int rc = os_random(h.nonce, sizeof h.nonce);

    if (!rc)
        sock_hello_write(&h, role == SOCK_DIALER ? c->transcript.dialer : c->transcript.acceptor);
    return rc;
}

/* ---- the dialer ---- */

static int on_connected(struct conn *c)
{
    int err = 0;
    socklen_t len = sizeof err;

    if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &err, &len))
        err = errno;
    if (err)
        return -err;
    err = write_hello(c, SOCK_DIALER, name_of(c->peer->peer));
    if (!err)
        err = sock_conn_send(c, c->transcript.dialer, SOCK_HELLO);
    if (!err)
        err = sock_conn_watch(c, false);
    if (!err)
        sock_conn_state(c, CONN_HELLO_SENT);
    return err;
}

/* The acceptor's hello and proof. They may take long: a peer that computes polls rarely. */
static int on_answer(struct conn *c)
{
    struct sock_hello h;
    unsigned char mac[SOCK_MAC];
    struct sock_peer *p = c->peer;
    const unsigned char *secret = p->peer->job->secret;
    int rc = handshake_recv(c, SOCK_HELLO + SOCK_MAC);

    if (is_other_protocol(c))
        return -EPROTO;
    if (c->in_len >= SOCK_HELLO
        && (sock_hello_parse(c->in, &h) || h.role != SOCK_ACCEPTOR
            || !is_same_process(h.from, name_of(p->peer)) || !is_same_process(h.to, own_name())))
        return -EPROTO;
    if (rc <= 0)
        return rc;
    memcpy(c->transcript.acceptor, c->in, SOCK_HELLO);
    if (!sock_proof_is_valid(secret, SOCK_ACCEPTOR, &c->transcript, c->in + SOCK_HELLO))
        return -EACCES;
    sock_proof_make(secret, SOCK_DIALER, &c->transcript, mac);
    rc = sock_conn_send(c, mac, sizeof mac);
    if (rc)
        return rc;
    sock_conn_state(c, CONN_PROOF_SENT);
    p->dial->proof_sent = true;
    sock_dial_keep(p, c);
    if (!h.compatible)
        sock_peer_lose(p, -EPROTONOSUPPORT);
    return 0;
}

static int on_result(struct conn *c)
{
    int rc = handshake_recv(c, SOCK_RESULT);

    if (rc <= 0)
        return rc;
    switch (sock_result_parse(c->in)) {
    case SOCK_ACCEPTED:
        sock_peer_up(c->peer, c);
        return 0;
    case SOCK_DUPLICATE: /* the peer's own connection is coming; if not, dialing begins again */
        return -EAGAIN;
    case SOCK_PEER_LOST:
        sock_peer_lose(c->peer, -ECONNABORTED);
        return 0;
    case SOCK_INCOMPATIBLE:
        sock_peer_lose(c->peer, -EPROTONOSUPPORT);
        return 0;
    }
    return -EPROTO;
}

/* ---- the acceptor ---- */

static int on_hello(struct conn *c)
{
    struct sock_hello h;
    unsigned char out[SOCK_HELLO + SOCK_MAC];
    int rc = handshake_recv(c, SOCK_HELLO);

    if (is_other_protocol(c))
        return -EPROTO;
    if (rc <= 0)
        return rc;
    if (sock_hello_parse(c->in, &h) || h.role != SOCK_DIALER || !is_same_process(h.to, own_name())
        || is_same_process(h.from, h.to))
        return -EPROTO;
    if (!(c->claimed_job = sock_dev.env->up->job(h.from.job)))
        return -ENOENT; /* it tries again: this process may be about to learn of its job */
    memcpy(c->transcript.dialer, c->in, SOCK_HELLO);
    rc = write_hello(c, SOCK_ACCEPTOR, h.from);
    if (rc)
        return rc;
    memcpy(out, c->transcript.acceptor, SOCK_HELLO);
    sock_proof_make(c->claimed_job->secret, SOCK_ACCEPTOR, &c->transcript, out + SOCK_HELLO);
    rc = sock_conn_send(c, out, sizeof out);
    if (rc)
        return rc;
    c->claimed_rank = h.from.rank;
    sock_conn_state(c, CONN_PROOF_AWAITED);
    return 0;
}

/* Orders processes: the same in both. */
static bool own_is_lower(const struct dev_peer *peer)
{
    const struct sock_name a = own_name(), b = name_of(peer);

    return a.job != b.job ? a.job < b.job : a.rank < b.rank;
}

/* When both processes dial, the connection of the lower one is used once its proof is sent; before
 * that, the first one to come. Both sides choose the same one: the higher process gives up its own
 * attempts when the proof of the lower one arrives, and the lower one accepts no connection after
 * sending its proof. */
static enum sock_result choose_result(const struct sock_peer *p, bool compatible)
{
    if (p->lost)
        return SOCK_PEER_LOST;
    if (!compatible)
        return SOCK_INCOMPATIBLE;
    if (p->up)
        return SOCK_DUPLICATE;
    if (p->dial && p->dial->proof_sent && own_is_lower(p->peer))
        return SOCK_DUPLICATE;
    return SOCK_ACCEPTED;
}

static int on_proof(struct conn *c)
{
    struct sock_hello h;
    unsigned char result[SOCK_RESULT];
    struct sock_peer *p;
    int rc = handshake_recv(c, SOCK_MAC);

    if (rc <= 0)
        return rc;
    if (!sock_proof_is_valid(c->claimed_job->secret, SOCK_DIALER, &c->transcript, c->in)
        || sock_hello_parse(c->transcript.dialer, &h))
        return -EACCES;
    if (!(p = sock_peer_find(c->claimed_job, c->claimed_rank)))
        return -ENOENT;
    enum sock_result answer = choose_result(p, h.compatible);
    sock_result_write(answer, result);
    rc = sock_conn_send(c, result, sizeof result);
    if (answer == SOCK_INCOMPATIBLE)
        sock_peer_lose(p, -EPROTONOSUPPORT);
    if (!rc && answer != SOCK_ACCEPTED)
        rc = -ECONNREFUSED;
    if (!rc)
        sock_peer_up(p, c);
    return rc;
}

void sock_handshake_step(struct conn *c)
{
    static int (*const step[])(struct conn *) = { [CONN_CONNECTING] = on_connected,
                                                  [CONN_HELLO_SENT] = on_answer,
                                                  [CONN_PROOF_SENT] = on_result,
                                                  [CONN_UNAUTHENTICATED] = on_hello,
                                                  [CONN_PROOF_AWAITED] = on_proof };
    bool dialer = c->state < CONN_UNAUTHENTICATED;
    int rc = step[c->state](c);

    if (rc < 0 && dialer)
        sock_dial_failed(c, rc);
    else if (rc < 0)
        sock_conn_close(c);
}
