/* units.c — the address endpoint, the handshake's messages and the clock of the sockets
 * device, without a second process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "devices/sockets/sock_impl.h"
#include "platform/sodium.h"

extern const struct dev_ops dev_sockets;

/* ---- the endpoint ---- */

static void endpoint_round_trip(void **state)
{
    (void) state;
    struct sock_endpoint in = { .host = 0x0123456789abcdef,
                                .net = 4026531840,
                                .port = 65535,
                                .probe = 4660,
                                .count = 2 },
                         out;
    char text[DEV_ENDPOINT_MAX];

    in.addr[0] = (struct os_ip) { .ip = { 192, 0, 2, 1 } };
    in.addr[1] = (struct os_ip) { .v6 = true, .ip = { 0xfd, [15] = 9 } };
    sock_endpoint_write(&in, text);
    assert_string_equal(text, "s2-123456789abcdef-f0000000-ffff-1234-c0000201-"
                              "fd000000000000000000000000000009");
    assert_int_equal(sock_endpoint_parse(text, &out), 0);
    assert_memory_equal(&in, &out, sizeof in);
    in = (struct sock_endpoint) { .port = 1, .probe = 2 };
    sock_endpoint_write(&in, text);
    assert_string_equal(text, "s2-0-0-1-2");
    assert_int_equal(sock_endpoint_parse(text, &out), 0);
    assert_memory_equal(&in, &out, sizeof in);
}

static void endpoint_fits(void **state)
{
    (void) state;
    struct sock_endpoint in = {
        .host = UINT64_MAX, .net = UINT64_MAX, .port = 65535, .probe = 65535, .count = SOCK_ADDRS
    };
    struct sock_endpoint out;
    char text[DEV_ENDPOINT_MAX + 1];

    for (int i = 0; i < SOCK_ADDRS; i++) {
        in.addr[i].v6 = i % 3 != 0;
        memset(in.addr[i].ip, i + 1, in.addr[i].v6 ? 16 : 4);
    }
    text[DEV_ENDPOINT_MAX] = '!';
    sock_endpoint_write(&in, text);
    assert_int_equal(text[DEV_ENDPOINT_MAX], '!');
    assert_true(strlen(text) < DEV_ENDPOINT_MAX);
    assert_int_equal(sock_endpoint_parse(text, &out), 0);
    assert_true(out.count >= 5 && out.count < SOCK_ADDRS);
    assert_memory_equal(in.addr, out.addr, 5 * sizeof *in.addr);
}

static void bad_endpoints(void **state)
{
    (void) state;
    static const char *const bad[] = {
        "",
        "s",
        "s2",
        "s2-",
        "s1-0-0-1-2",
        "s2-0-0",
        "s2-0-0-1",
        "s2-0-0-1-",
        "s2-0-0-1-10000",
        "s2-0-0-",
        "s2-0-0-0-2",
        "s2-0-0-1-0",
        "s2-0-0-10000-2",
        "s2-11112222333344445-0-1-2",
        "s2--0-1-2",
        "s2-0-0-1-2-",
        "s2-0-0-1-2-c00002",
        "s2-0-0-1-2-c00002010",
        "s2-0-0-1-2-C0000201",
        "s2-0-0-1-2 c0000201",
        "s2-0-0-1-2-c0000201-",
        "s2-0-0-1-2-c0000201x",
        "x2-0-0-1-2",
        "s2-0-0-1-2-fd00000000000000000000000000000",
    };
    struct sock_endpoint c;
    char text[400];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(sock_endpoint_parse(bad[i], &c), -EPROTO);
    memset(text, 'a', sizeof text);
    assert_int_equal(sock_endpoint_parse(text, &c), -EPROTO);
    strncpy(text, "s2-0-0-1-2", sizeof text);
    for (int i = 0; i <= SOCK_ADDRS; i++)
        memcpy(text + 10 + i * 9, "-c0000201", 10);
    assert_int_equal(sock_endpoint_parse(text, &c), -EPROTO);
    text[10 + SOCK_ADDRS * 9] = '\0';
    assert_int_equal(sock_endpoint_parse(text, &c), 0);
}

/* Every single-byte change of a good endpoint is refused or gives another good one; nothing
 * crashes. */
static void mangled_endpoints(void **state)
{
    (void) state;
    static const char good[] = "s2-1f-2e-3d-4e-c0000201-fd000000000000000000000000000009";
    struct sock_endpoint c;
    char text[sizeof good];

    for (size_t i = 0; i < sizeof good; i++) {
        for (int byte = 0; byte < 256; byte++) {
            memcpy(text, good, sizeof good);
            text[i] = (char) byte;
            text[sizeof good - 1] = '\0';
            int rc = sock_endpoint_parse(text, &c);
            assert_true(rc == 0 || rc == -EPROTO);
            assert_true(c.count >= 0 && c.count <= SOCK_ADDRS);
        }
    }
}

/* ---- addresses ---- */

static void networks(void **state)
{
    (void) state;
    struct os_iface net = { .addr = { .ip = { 10, 1, 16, 5 } }, .bits = 20 };

    assert_true(os_ip_in_net(&net, &(struct os_ip) { .ip = { 10, 1, 31, 9 } }));
    assert_false(os_ip_in_net(&net, &(struct os_ip) { .ip = { 10, 1, 32, 9 } }));
    assert_false(os_ip_in_net(&net, &(struct os_ip) { .v6 = true, .ip = { 10, 1, 16, 5 } }));
    net.bits = 32;
    assert_false(os_ip_in_net(&net, &(struct os_ip) { .ip = { 10, 1, 16, 6 } }));
    net.bits = 0;
    assert_true(os_ip_in_net(&net, &(struct os_ip) { .ip = { 99, 1, 16, 6 } }));
}

static void chosen_interfaces(void **state)
{
    (void) state;
    static const struct os_ip here = { .ip = { 127, 0, 0, 1 } };
    static const char *const good[] = { "lo", "127.0.0.1", "127.0.0.0/8", "0.0.0.0/0" };
    static const char *const bad[] = {
        "nosuch0",      "127.0.0.2",
        "127.0.0.1/33", "127.0.0.1/",
        "127.0.0",      "/8",
        "127.0.0.1/8x", "127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127.0.0.1.127"
    };
    struct os_iface found[SOCK_ADDRS];

    for (int i = 0; i < 4; i++) {
        int n = os_ifaces(good[i], found, SOCK_ADDRS);
        assert_true(n > 0);
        assert_memory_equal(&found[0].addr, &here, sizeof here);
        assert_int_equal(found[0].bits, 8);
    }
    for (int i = 0; i < 8; i++)
        assert_int_equal(os_ifaces(bad[i], found, SOCK_ADDRS), 0);
    for (int i = 0, n = os_ifaces("", found, SOCK_ADDRS); i < n; i++)
        assert_memory_not_equal(&found[i].addr, &here, sizeof here);
    assert_int_equal(sock_host_id(), sock_host_id());
    assert_int_not_equal(sock_net_id(), 0);
}

/* ---- messages ---- */

static void hello_round_trip(void **state)
{
    (void) state;
    struct sock_hello in = { .role = SOCK_ACCEPTOR,
                             .from = { 0x1112131415161718, 0x01020304 },
                             .to = { UINT64_MAX, INT32_MAX } },
                      out;
    unsigned char bytes[SOCK_HELLO];

    memset(in.nonce, 7, sizeof in.nonce);
    sock_hello_write(&in, bytes);
    assert_int_equal(sock_hello_parse(bytes, &out), 0);
    assert_int_equal(out.role, SOCK_ACCEPTOR);
    assert_true(out.from.job == in.from.job && out.from.rank == in.from.rank);
    assert_true(out.to.job == in.to.job && out.to.rank == in.to.rank);
    assert_memory_equal(out.nonce, in.nonce, SOCK_NONCE);
    assert_true(out.compatible);
    assert_int_equal(bytes[20], 4); /* names have one byte order everywhere */
    assert_int_equal(bytes[32], 0x18);
}

/* Magic, role and ranks decide what is a hello; version, byte order and sizes what is
 * compatible. */
static void hello_bytes(void **state)
{
    (void) state;
    struct sock_hello in = { .role = SOCK_DIALER, .from = { 0, 1 }, .to = { 0, 2 } }, out;
    unsigned char bytes[SOCK_HELLO];

    for (int i = 0; i < SOCK_HELLO; i++) {
        sock_hello_write(&in, bytes);
        bytes[i] ^= 0x80;
        int rc = sock_hello_parse(bytes, &out);
        bool must_fail = i < 8 || i == 10 || i == 23 || i == 27;
        assert_int_equal(rc, must_fail ? -EPROTO : 0);
        if (!rc)
            assert_int_equal(out.compatible, !(i == 8 || i == 9 || (i >= 11 && i < 20)));
    }
}

static void results(void **state)
{
    (void) state;
    unsigned char bytes[SOCK_RESULT];

    for (int a = SOCK_ACCEPTED; a <= SOCK_INCOMPATIBLE; a++) {
        sock_result_write((enum sock_result) a, bytes);
        assert_int_equal(sock_result_parse(bytes), a);
        for (int i = 0; i < SOCK_RESULT; i++) {
            bytes[i] ^= 0x40;
            assert_int_equal(sock_result_parse(bytes), -EPROTO);
            bytes[i] ^= 0x40;
        }
    }
    bytes[4] = 0;
    assert_int_equal(sock_result_parse(bytes), -EPROTO);
}

/* A proof is valid for its role, both hellos and its secret only. */
static void proofs(void **state)
{
    (void) state;
    unsigned char secret[DEV_SECRET] = { 1 }, mac[SOCK_MAC];
    struct sock_transcript t = { .dialer = { 3 }, .acceptor = { 4 } };

    assert_int_equal(os_sodium_open(), 0);
    sock_proof_make(secret, SOCK_DIALER, &t, mac);
    assert_true(sock_proof_is_valid(secret, SOCK_DIALER, &t, mac));
    assert_false(sock_proof_is_valid(secret, SOCK_ACCEPTOR, &t, mac));
    for (int i = 0; i < SOCK_HELLO; i++) {
        t.dialer[i] ^= 1;
        assert_false(sock_proof_is_valid(secret, SOCK_DIALER, &t, mac));
        t.dialer[i] ^= 1;
        t.acceptor[i] ^= 1;
        assert_false(sock_proof_is_valid(secret, SOCK_DIALER, &t, mac));
        t.acceptor[i] ^= 1;
    }
    for (int i = 0; i < SOCK_MAC; i++) {
        mac[i] ^= 1;
        assert_false(sock_proof_is_valid(secret, SOCK_DIALER, &t, mac));
        mac[i] ^= 1;
        secret[i] ^= 1;
        assert_false(sock_proof_is_valid(secret, SOCK_DIALER, &t, mac));
        secret[i] ^= 1;
    }
}

/* ---- time limits ---- */

enum { UNIT_JOB = 5 };

static struct dev_job job;

static void set_job(int size, unsigned char secret)
{
    job = (struct dev_job) { .id = UNIT_JOB, .size = size };
    memset(job.secret, secret, sizeof job.secret);
}

static const struct dev_job *the_job(uint64_t id) { return id == UNIT_JOB ? &job : NULL; }

static struct dev_peer *no_peer(const struct dev_job *of, int rank)
{
    (void) of, (void) rank;
    return NULL;
}

static char endpoint[DEV_ENDPOINT_MAX];
static const struct dev_upcalls up = { .job = the_job, .peer = no_peer };
static const struct dev_env env = { .up = &up,
                                    .job = &job,
                                    .node = &(struct dev_node) { .count = 2 } };

static int connect_at(uint16_t port)
{
    struct sockaddr_storage s;
    socklen_t len = os_ip_socket(&(struct os_ip) { .ip = { 127, 0, 0, 1 } }, port, &s);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(connect(fd, (struct sockaddr *) &s, len), 0);
    return fd;
}

static int connect_to_it(void)
{
    struct sock_endpoint c;

    assert_int_equal(sock_endpoint_parse(endpoint, &c), 0);
    return connect_at(c.port);
}

/* After some looks at the listener. */
static int unauthenticated(void)
{
    for (uint64_t end = os_time_ns() + 1000000; os_time_ns() < end;)
        (void) dev_sockets.poll();
    return sock_dev.count[CONN_UNAUTHENTICATED] + sock_dev.count[CONN_PROOF_AWAITED];
}

static void time_limits(void **state)
{
    (void) state;
    struct sock_hello h = { .role = SOCK_DIALER, .from = { UNIT_JOB, 1 }, .to = { UNIT_JOB, 0 } };
    unsigned char bytes[SOCK_HELLO];
    char byte;

    set_job(2, 0);
    assert_int_equal(dev_sockets.open(&env, endpoint), 0);
    int silent = connect_to_it(), half = connect_to_it();
    sock_hello_write(&h, bytes);
    assert_int_equal(send(half, bytes, sizeof bytes, 0), sizeof bytes);
    assert_int_equal(unauthenticated(), 0); /* nothing is accepted while the secret is not set */
    set_job(2, 5);
    assert_int_equal(unauthenticated(), 2);

    uint64_t now = os_time_ns();
    sock_tick(now + sock_ms(SOCK_HELLO_MS - 1000));
    assert_int_equal(unauthenticated(), 2);
    sock_tick(now + sock_ms(SOCK_HELLO_MS + 1000));
    assert_int_equal(unauthenticated(), 1);
    assert_int_equal(recv(silent, &byte, 1, 0), 0);
    sock_tick(now + sock_ms(SOCK_PROOF_MS + 1000));
    assert_int_equal(unauthenticated(), 0);
    assert_int_equal(recv(half, bytes, sizeof bytes, MSG_WAITALL), SOCK_HELLO);
    assert_int_equal(recv(half, bytes, SOCK_MAC, MSG_WAITALL), SOCK_MAC);
    assert_int_equal(recv(half, &byte, 1, 0), 0);
    (void) close(silent);
    (void) close(half);
    dev_sockets.close();
}

/* Fast polls are mostly skipped, but none that comes before or after a sleep. */
static void polls_before_a_sleep(void **state)
{
    (void) state;
    set_job(2, 5);
    assert_int_equal(dev_sockets.open(&env, endpoint), 0);
    for (int i = 0; i < 100000 || !sock_dev.skip; i++)
        (void) dev_sockets.poll();
    int silent = connect_to_it();
    (void) dev_sockets.wait_fd();
    (void) usleep(2000);
    (void) dev_sockets.poll();
    assert_true(sock_dev.count[CONN_UNAUTHENTICATED] == 1 && !sock_dev.skip);
    (void) close(silent);
    dev_sockets.close();
}

/* The oldest connection without a hello is closed first, then the oldest of all. */
static void eviction(void **state)
{
    (void) state;
    struct sock_hello h = { .role = SOCK_DIALER, .from = { UNIT_JOB, 1 }, .to = { UNIT_JOB, 0 } };
    unsigned char bytes[SOCK_HELLO + SOCK_MAC];
    char byte;

    set_job(2, 1);
    assert_int_equal(dev_sockets.open(&env, endpoint), 0);
    assert_false(sock_evict_unauthenticated());
    int polite = connect_to_it();
    sock_hello_write(&h, bytes);
    assert_int_equal(send(polite, bytes, SOCK_HELLO, 0), SOCK_HELLO);
    assert_int_equal(unauthenticated(), 1);
    int first = connect_to_it(), second = connect_to_it();
    assert_int_equal(unauthenticated(), 3);
    assert_true(sock_evict_unauthenticated());
    assert_int_equal(recv(first, &byte, 1, 0), 0);
    assert_int_equal(recv(second, &byte, 1, MSG_DONTWAIT), -1);
    assert_true(sock_evict_unauthenticated());
    assert_int_equal(recv(second, &byte, 1, 0), 0);
    assert_true(sock_evict_unauthenticated());
    assert_false(sock_evict_unauthenticated());
    assert_int_equal(recv(polite, bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
    assert_int_equal(recv(polite, &byte, 1, 0), 0);
    (void) close(first);
    (void) close(second);
    (void) close(polite);
    dev_sockets.close();
}

/* Addresses on networks of this host come first, those of this host itself last; loopback only
 * for a peer on the same host. */
static void order_of_addresses(void **state)
{
    (void) state;
    static const char *const order[] = { "127.0.0.1", "::1", "10.1.0.9", "192.0.2.1", "10.1.0.2" };
    char text[INET6_ADDRSTRLEN];
    struct sock_endpoint c = {
        .port = 1,
        .probe = 2,
        .count = 3,
        .addr = { { .ip = { 10, 1, 0, 2 } }, { .ip = { 192, 0, 2, 1 } }, { .ip = { 10, 1, 0, 9 } } }
    };

    set_job(2, 1);
    assert_int_equal(dev_sockets.open(&env, endpoint), 0);
    sock_dev.iface[0] = (struct os_iface) { .addr = { .ip = { 10, 1, 0, 2 } }, .bits = 24 };
    sock_dev.ifaces = 1;
    for (int home = 1; home >= 0; home--) {
        struct dev_peer peer = { .job = &job, .rank = 1, .endpoint = endpoint };
        c.host = sock_dev.host + !home;
        c.net = sock_dev.net;
        sock_endpoint_write(&c, endpoint);
        assert_int_equal(dev_sockets.add_peer(&peer), 0);
        struct sock_peer *p = peer.priv;
        assert_int_equal(sock_dial(p), 0);
        assert_int_equal(p->dial->count, home ? 5 : 3);
        for (int i = 0; i < p->dial->count; i++) {
            const struct os_ip *a = &p->dial->to[i];
            (void) inet_ntop(a->v6 ? AF_INET6 : AF_INET, a->ip, text, sizeof text);
            assert_string_equal(text, order[home ? i : i + 2]);
        }
        dev_sockets.del_peer(&peer);
    }
    dev_sockets.close();
}

/* Without an interface the device cannot be opened, except in a job on one node. */
static void no_interface(void **state)
{
    (void) state;
    const struct dev_env alone = { .job = &job, .node = &(struct dev_node) { .count = 1 } };

    set_job(2, 1);
    sock_interface = "nosuch0";
    assert_int_equal(dev_sockets.open(&alone, endpoint), -EADDRNOTAVAIL);
    set_job(1, 0);
    assert_int_equal(dev_sockets.open(&alone, endpoint), 0);
    assert_true(dev_sockets.wait_fd() >= 0); /* a peer that is not added yet may connect */
    dev_sockets.close();
    sock_interface = "";
}

/* A job on one node listens at loopback; when others come, on all networks as well. */
static void widened(void **state)
{
    (void) state;
    struct dev_env beyond = env;
    char text[DEV_ENDPOINT_MAX], again[DEV_ENDPOINT_MAX] = "same";
    struct sock_endpoint first, second;

    set_job(2, 1);
    assert_int_equal(dev_sockets.open(&env, text), 0);
    assert_int_equal(sock_endpoint_parse(text, &first), 0);
    assert_int_equal(first.count, 0);
    assert_int_equal(dev_sockets.widen(text), 0);
    assert_int_equal(sock_endpoint_parse(text, &second), 0);
    assert_int_equal(second.count, sock_dev.ifaces);
    assert_true(second.port != first.port && second.probe != first.probe);
    (void) close(connect_at(first.port));
    (void) close(connect_at(second.port));
    assert_int_equal(dev_sockets.widen(again), 0);
    assert_string_equal(again, "same");
    dev_sockets.close();
    beyond.beyond = true;
    assert_int_equal(dev_sockets.open(&beyond, text), 0);
    assert_int_equal(dev_sockets.widen(again), 0);
    assert_string_equal(again, "same");
    dev_sockets.close();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(endpoint_round_trip),
        cmocka_unit_test(endpoint_fits),
        cmocka_unit_test(bad_endpoints),
        cmocka_unit_test(mangled_endpoints),
        cmocka_unit_test(networks),
        cmocka_unit_test(chosen_interfaces),
        cmocka_unit_test(hello_round_trip),
        cmocka_unit_test(hello_bytes),
        cmocka_unit_test(results),
        cmocka_unit_test(proofs),
        cmocka_unit_test(time_limits),
        cmocka_unit_test(polls_before_a_sleep),
        cmocka_unit_test(eviction),
        cmocka_unit_test(order_of_addresses),
        cmocka_unit_test(no_interface),
        cmocka_unit_test(widened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
