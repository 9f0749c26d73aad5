/* sockets.c — what peers may send to the sockets device, authenticated or not.
 *
 * The first byte says what the connection is: of an authenticated peer, of an unauthenticated
 * one, or of one that knows the secret, so that its hello is followed by the right proof. The
 * rest is sent through a socket, in pieces whose lengths are part of it. */
#include <sys/socket.h>
#include <unistd.h>
#include "fuzz.h"
#include "platform/setting.h"
#include "devices/sockets/sock_impl.h"

extern const struct dev_ops dev_sockets;

enum { PEERS = 3, ROOM = 4096 };

static struct dev_peer peers[PEERS];
static char memory[ROOM];
static int open_payloads, lost[PEERS];

/* ---- ADI3 ------------------------------------------------------------------------------------ */

static int take(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    unsigned sum = 0;

    MUST(!lost[from->rank] && !open_payloads);
    for (size_t i = 0; i < pkt->payload; i++)
        sum += ((const unsigned char *) payload)[i];
    return sum % 251 == 250 ? -EPROTO : 0;
}

/* Receive targets of every shape: none, too small, in pieces. */
static int begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    MUST(!lost[from->rank] && !open_payloads);
    if (pkt->type == 99)
        return -EPROTO;
    target->iovcnt = pkt->type % (DEV_IOV_MAX + 1);
    for (int i = 0; i < target->iovcnt; i++)
        target->iov[i] = (struct iovec) { memory + i * 1000, pkt->tag & 1 ? 1000 : i * 7u };
    open_payloads = 1;
    return 0;
}

static void end(struct dev_target *target, int err)
{
    (void) target;
    MUST(open_payloads && err <= 0);
    open_payloads = 0;
}

static void lose(struct dev_peer *peer, int err) { MUST(err < 0 && !lost[peer->rank]++); }

/* Process 0 of our job, and the second job with the id 1. */
static struct dev_job jobs[2] = { { .id = 0, .size = PEERS }, { .id = 1, .size = PEERS } };

static const struct dev_job *find_job(uint64_t id) { return id < 2 ? &jobs[id] : NULL; }

static struct dev_peer *find(const struct dev_job *job, int rank)
{
    return job == jobs && rank >= 0 && rank < PEERS ? &peers[rank] : NULL;
}

static const struct dev_upcalls up = { .recv = take,
                                       .recv_begin = begin,
                                       .recv_end = end,
                                       .peer_lost = lose,
                                       .job = find_job,
                                       .peer = find };
static struct dev_node node = { .count = 1 };
static struct dev_env env = { .up = &up, .job = jobs, .rank = 0, .node = &node };

static void complain(const char *line) { (void) line; }

static void open_device(void)
{
    const struct setting *const tables[] = { dev_sockets.settings, NULL };
    char endpoint[DEV_ENDPOINT_MAX];

    if (sock_dev.env)
        return;
    setting_load(tables, NULL, NULL, complain);
    node.count = PEERS; /* so that it listens on loopback */
    MUST(!dev_sockets.open(&env, endpoint));
    for (int i = 0; i < PEERS; i++)
        peers[i] =
            (struct dev_peer) { .job = jobs, .rank = i, .local = -1, .endpoint = "s2-0-0-1-2" };
}

/* ---- the other end --------------------------------------------------------------------------- */

static void hear(struct conn *c)
{
    for (int i = 0; i < 64 && c->state != CONN_DEAD && c->state != CONN_CLOSING; i++) {
        if (c->state == CONN_UP)
            (void) sock_receive(c);
        else
            sock_handshake_step(c);
    }
}

/* After the hello, the proof that belongs to it. */
static void prove(struct conn *c, int fd)
{
    unsigned char mac[SOCK_MAC];

    if (c->state != CONN_PROOF_AWAITED)
        return;
    sock_proof_make(c->claimed_job->secret, SOCK_DIALER, &c->transcript, mac);
    MUST(send(fd, mac, sizeof mac, MSG_DONTWAIT) == SOCK_MAC);
    hear(c);
}

static void talk(struct conn *c, int fd, struct feed *f, bool knows)
{
    const uint8_t *bytes;

    while (f->left && c->state != CONN_DEAD) {
        size_t n = feed_byte(f);
        n = feed_bytes(f, n == 255 ? 20000 : n + 1, &bytes);
        if (n && send(fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            break;
        hear(c);
        if (knows)
            prove(c, fd);
    }
    (void) close(fd);
    hear(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };
    int fd[2], how = feed_byte(&f) % 3;

    open_device();
    memset(lost, 0, sizeof lost);
    for (int i = 1; i < PEERS; i++)
        MUST(!dev_sockets.add_peer(&peers[i]));
    MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd));
    struct conn *c = sock_conn_new(fd[0], CONN_UNAUTHENTICATED);
    MUST(c);
    if (how == 0)
        sock_peer_up(peers[1].priv, c);
    talk(c, fd[1], &f, how == 2);
    for (int i = 1; i < PEERS; i++)
        dev_sockets.del_peer(&peers[i]);
    while (sock_dev.conns_last && sock_dev.conns_last->state != CONN_LISTENER)
        sock_conn_close(sock_dev.conns_last);
    sock_conn_reap();
    MUST(!open_payloads);
    return 0;
}
