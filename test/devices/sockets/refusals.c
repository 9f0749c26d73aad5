/* refusals.c — handshakes that end with a refusal: incompatible peers, lost peers, other
 * processes at a peer's address, a device that closes. Rank 1 tests rank 0. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "bare.h"
#include "rig.h"
#include "traffic.h"

/* An authenticated peer of another version is refused with that reason. */
static void incompatible_dialer(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == -EPROTONOSUPPORT);
    } else {
        int fd = bare_connect();
        bare_hello(&t, SOCK_DIALER, 1, 0);
        t.dialer[8]++; /* a later version */
        bare_send(fd, t.dialer, SOCK_HELLO);
        CHECK(bare_receive(fd, t.acceptor, SOCK_HELLO) && bare_receive(fd, mac, SOCK_MAC));
        CHECK(sock_proof_is_valid(rig.job.secret, SOCK_ACCEPTOR, &t, mac));
        sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, result, sizeof result) && result[4] == SOCK_INCOMPATIBLE);
        bare_expect_end(fd);
    }
    rig_barrier();
}

/* A lost peer stays lost: a new connection would begin in the middle of the exchange. */
static void lost_stays_lost(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];
    struct dev_pkt nonsense = { .payload = UINT64_MAX - 1 };

    traffic_expect_loss = true;
    for (int i = 0; i < 2 && rig.rank == 1; i++) {
        int fd = bare_handshake(&t, 1, mac);
        sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, result, sizeof result));
        CHECK(result[4] == (i ? SOCK_PEER_LOST : SOCK_ACCEPTED));
        if (!i)
            bare_send(fd, &nonsense, sizeof nonsense);
        bare_expect_end(fd);
    }
    if (rig.rank == 0) {
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == -EPROTO);
    }
    rig_barrier();
}

/* Writes the endpoint of rank 1 with the port of another listener. */
static void misdirect(uint16_t port, char endpoint[DEV_ENDPOINT_MAX])
{
    struct sock_endpoint c;

    CHECK(!sock_endpoint_parse(rig.shared->endpoint[1], &c));
    c.port = port;
    sock_endpoint_write(&c, endpoint);
}

static void incompatible_acceptor(void)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC];

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        misdirect((uint16_t) atomic_load(&rig.shared->flag[0]), endpoint);
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 10, SEND);
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == -EPROTONOSUPPORT && traffic_failed() == 1);
    } else {
        uint16_t port;
        int listener = bare_listen(&port);
        atomic_store(&rig.shared->flag[0], port);
        int fd = bare_accept(listener, &t);
        bare_hello(&t, SOCK_ACCEPTOR, 1, 0);
        for (int i = 0; i < 2; i++) { /* the other byte order */
            unsigned char byte = t.acceptor[12 + i];
            t.acceptor[12 + i] = t.acceptor[15 - i];
            t.acceptor[15 - i] = byte;
        }
        sock_proof_make(rig.job.secret, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, mac, sizeof mac)
              && sock_proof_is_valid(rig.job.secret, SOCK_DIALER, &t, mac));
        bare_expect_end(fd);
        (void) close(listener);
    }
    rig_barrier();
}

/* An authenticated acceptor that refuses: its reason becomes the error of the loss. */
static void acceptor_refuses(enum sock_result result_sent, int err)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        misdirect((uint16_t) atomic_load(&rig.shared->flag[0]), endpoint);
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 10, SEND);
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == err && traffic_failed() == 1);
    } else {
        uint16_t port;
        int listener = bare_listen(&port);
        atomic_store(&rig.shared->flag[0], port);
        int fd = bare_accept(listener, &t);
        bare_hello(&t, SOCK_ACCEPTOR, 1, 0);
        sock_proof_make(rig.job.secret, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, mac, sizeof mac)
              && sock_proof_is_valid(rig.job.secret, SOCK_DIALER, &t, mac));
        sock_result_write(result_sent, result);
        bare_send(fd, result, sizeof result);
        bare_expect_end(fd);
        (void) close(listener);
    }
    rig_barrier();
}

/* A peer that closes while a message to it is queued is lost. */
static void closed_before_delivery(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];
    const struct dev_pkt close_pkt = { .payload = UINT64_MAX, .flags = DEV_PLAIN };

    traffic_expect_loss = true;
    if (rig.rank == 0) {
        RIG_WAIT(sock_dev.count[CONN_UP] == 1);
        traffic_send(1, (size_t) 64 << 20, SEND);
        CHECK(traffic_pending() == 1);
        atomic_store(&rig.shared->flag[0], 1);
        RIG_WAIT(traffic_lost(1));
        CHECK(traffic_lost_error(1) == -EPIPE && traffic_failed() == 1);
        atomic_store(&rig.shared->flag[0], 2);
    } else {
        int fd = bare_handshake(&t, 1, mac);
        sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, result, sizeof result) && result[4] == SOCK_ACCEPTED);
        while (atomic_load(&rig.shared->flag[0]) != 1)
            os_yield();
        bare_send(fd, &close_pkt, SOCK_PLAIN);
        while (atomic_load(&rig.shared->flag[0]) != 2)
            os_yield();
        (void) close(fd);
    }
    rig_barrier();
}

/* A peer that is deleted after the proof is sent: the acceptor may be connected, so it gets a close
 * packet. */
static void deleted_after_proof(void)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC];
    struct dev_pkt close_pkt = { .payload = 0 };

    if (rig.rank == 0) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        misdirect((uint16_t) atomic_load(&rig.shared->flag[0]), endpoint);
        rig.peer[1].endpoint = endpoint;
        CHECK(!traffic_try_inject(1, 10));
        RIG_WAIT(sock_dev.count[CONN_PROOF_SENT] == 1);
        rig_del_peer(1);
        CHECK(sock_dev.count[CONN_CLOSING] == 1 && !sock_dev.dials);
    } else {
        uint16_t port;
        int listener = bare_listen(&port);
        atomic_store(&rig.shared->flag[0], port);
        int fd = bare_accept(listener, &t);
        bare_hello(&t, SOCK_ACCEPTOR, 1, 0);
        sock_proof_make(rig.job.secret, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, mac, sizeof mac) && bare_receive(fd, &close_pkt, SOCK_PLAIN));
        CHECK(close_pkt.payload == UINT64_MAX);
        bare_expect_end(fd);
        (void) close(listener);
    }
    rig_barrier();
}

static void result_peer_lost(void) { acceptor_refuses(SOCK_PEER_LOST, -ECONNABORTED); }
static void result_incompatible(void) { acceptor_refuses(SOCK_INCOMPATIBLE, -EPROTONOSUPPORT); }

/* A process at a peer's address that does not know the secret gets no packet. In the end the
 * real peer connects and everything arrives. */
static void false_acceptors(void)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], noise[SOCK_HELLO + SOCK_MAC];

    if (rig.rank == 0) {
        while (!atomic_load(&rig.shared->flag[0]))
            os_yield();
        misdirect((uint16_t) atomic_load(&rig.shared->flag[0]), endpoint);
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 10, SEND);
        traffic_send(1, 10, INJECT);
    } else {
        uint16_t port;
        int fd, listener = bare_listen(&port);
        atomic_store(&rig.shared->flag[0], port);
        CHECK(!os_random(noise, sizeof noise));
        bare_send(fd = bare_accept(listener, &t), noise, sizeof noise);
        bare_expect_end(fd);
        fd = bare_accept(listener, &t); /* reflects the hello */
        bare_send(fd, t.dialer, SOCK_HELLO);
        bare_expect_end(fd);
        fd = bare_accept(listener, &t); /* all but the proof */
        bare_hello(&t, SOCK_ACCEPTOR, 1, 0);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        CHECK(!os_random(mac, sizeof mac));
        bare_send(fd, mac, sizeof mac);
        bare_expect_end(fd);
        fd = bare_accept(listener, &t); /* another process of the job, at the wrong address */
        bare_hello(&t, SOCK_ACCEPTOR, 2, 0);
        sock_proof_make(rig.job.secret, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        bare_expect_end(fd);
        fd = bare_accept(listener, &t); /* closes */
        (void) close(fd);
        (void) close(listener);
        traffic_send(0, 10, SEND); /* the real peer dials */
    }
    RIG_WAIT(traffic_got(1 - rig.rank) == (rig.rank ? 2 : 1));
    RIG_WAIT(!traffic_pending());
    rig_barrier();
}

/* The device waits for the close packet of one peer. A process that has not been added as a peer
 * sends its proof meanwhile, and is not received any more. */
static void proof_while_closing(void)
{
    struct sock_transcript t, late;
    unsigned char mac[SOCK_MAC], late_mac[SOCK_MAC], result[SOCK_RESULT];
    struct dev_pkt close_pkt = { .payload = 0 };

    if (rig.rank == 0)
        RIG_WAIT(sock_dev.count[CONN_UP] == 1 && sock_dev.count[CONN_PROOF_AWAITED] == 1);
    if (rig.rank != 1)
        return;
    int late_fd = bare_handshake(&late, 2, late_mac), fd = bare_handshake(&t, 1, mac);
    sock_proof_make(rig.job.secret, SOCK_DIALER, &t, mac);
    bare_send(fd, mac, sizeof mac);
    CHECK(bare_receive(fd, result, sizeof result) && result[4] == SOCK_ACCEPTED);
    CHECK(bare_receive(fd, &close_pkt, SOCK_PLAIN) && close_pkt.payload == UINT64_MAX);
    sock_proof_make(rig.job.secret, SOCK_DIALER, &late, late_mac);
    bare_send(late_fd, late_mac, sizeof late_mac);
    bare_expect_end(late_fd);
    (void) close(fd);
}

int main(void)
{
    static const struct rig_plan plans[] = {
        { .name = "incompatible_dialer", .size = 2, .run = incompatible_dialer },
        { .name = "incompatible_acceptor", .size = 2, .run = incompatible_acceptor },
        { .name = "closed_before_delivery", .size = 2, .run = closed_before_delivery },
        { .name = "deleted_after_proof", .size = 2, .run = deleted_after_proof },
        { .name = "result_peer_lost", .size = 2, .run = result_peer_lost },
        { .name = "result_incompatible", .size = 2, .run = result_incompatible },
        { .name = "lost_stays_lost", .size = 2, .run = lost_stays_lost },
        { .name = "proof_while_closing", .size = 3, .run = proof_while_closing },
        { .name = "false_acceptors", .size = 2, .run = false_acceptors },
    };
    int bad = 0;

    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        bad += !rig_run(rig_device("sockets"), &plans[i]);
    return bad != 0;
}
