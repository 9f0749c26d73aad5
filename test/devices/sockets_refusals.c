/* sockets_refusals.c — who may talk and does not, or may not and tries: peers of another dialect,
 * peers that were given up, answering machines at a peer's address. Rank 0 is tested by rank 1. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "bare.h"
#include "rig.h"
#include "traffic.h"

/* A peer of another version that proves who it is, is refused by name. */
static void incompatible_dialer(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];
    const struct sock_auth a = bare_auth();

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
        CHECK(sock_proof_is_valid(&a, SOCK_ACCEPTOR, &t, mac));
        sock_proof_make(&a, SOCK_DIALER, &t, mac);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, result, sizeof result) && result[4] == SOCK_INCOMPATIBLE);
        bare_expect_end(fd);
    }
    rig_barrier();
}

/* Who has been given up stays so: a second start would find half of a conversation. */
static void lost_stays_lost(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];
    const struct sock_auth a = bare_auth();
    struct dev_pkt nonsense = { .payload = UINT64_MAX - 1 };

    traffic_expect_loss = true;
    for (int i = 0; i < 2 && rig.rank == 1; i++) {
        int fd = bare_handshake(&t, 1, mac);
        sock_proof_make(&a, SOCK_DIALER, &t, mac);
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

/* Rank 0 is given the endpoint of an answering machine instead of rank 1's. */
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
    const struct sock_auth a = bare_auth();

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
        sock_proof_make(&a, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, mac, sizeof mac) && sock_proof_is_valid(&a, SOCK_DIALER, &t, mac));
        bare_expect_end(fd);
        (void) close(listener);
    }
    rig_barrier();
}

/* An acceptor that proves itself and then refuses: its reason is ours. */
static void acceptor_refuses(enum sock_result result_sent, int err)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];
    const struct sock_auth a = bare_auth();

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
        sock_proof_make(&a, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        CHECK(bare_receive(fd, mac, sizeof mac) && sock_proof_is_valid(&a, SOCK_DIALER, &t, mac));
        sock_result_write(result_sent, result);
        bare_send(fd, result, sizeof result);
        bare_expect_end(fd);
        (void) close(listener);
    }
    rig_barrier();
}

/* A last word while we still had something to say, that nobody will read: that is a loss. */
static void closed_before_delivery(void)
{
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], result[SOCK_RESULT];
    const struct sock_auth a = bare_auth();
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
        sock_proof_make(&a, SOCK_DIALER, &t, mac);
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

/* Deleted after our proof is out: the acceptor takes us for connected, and hears a last word. */
static void deleted_after_proof(void)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC];
    const struct sock_auth a = bare_auth();
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
        sock_proof_make(&a, SOCK_ACCEPTOR, &t, mac);
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

/* Whoever answers at a peer's address without the secret gets no packet; in the end the real one
 * answers and everything arrives. */
static void false_acceptors(void)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_transcript t;
    unsigned char mac[SOCK_MAC], noise[SOCK_HELLO + SOCK_MAC];
    const struct sock_auth a = bare_auth();

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
        fd = bare_accept(listener, &t); /* its own words */
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
        sock_proof_make(&a, SOCK_ACCEPTOR, &t, mac);
        bare_send(fd, t.acceptor, SOCK_HELLO);
        bare_send(fd, mac, sizeof mac);
        bare_expect_end(fd);
        fd = bare_accept(listener, &t); /* hangs up */
        (void) close(fd);
        (void) close(listener);
        traffic_send(0, 10, SEND); /* the real one calls */
    }
    RIG_WAIT(traffic_got(1 - rig.rank) == (rig.rank ? 2 : 1));
    RIG_WAIT(!traffic_pending());
    rig_barrier();
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
        { .name = "false_acceptors", .size = 2, .run = false_acceptors },
    };
    int bad = 0;

    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        bad += !rig_run(rig_device("sockets"), &plans[i]);
    return bad != 0;
}
