/* limits.c — the sockets device without descriptors, with peers that end, and with
 * addresses that do not answer; pairs that disconnect and connect again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include "rig.h"
#include "devices/sockets/sock_impl.h"
#include "traffic.h"

static int other(void) { return 1 - rig.rank; }

static bool hosts_differ; /* set in the endpoint, so that its addresses are used */

static void endpoint_of(const unsigned char ip[][4], int count, char endpoint[DEV_ENDPOINT_MAX])
{
    struct sock_endpoint c;

    CHECK(!sock_endpoint_parse(rig.shared->endpoint[1], &c));
    c.host += hosts_differ;
    c.count = count;
    for (int i = 0; i < count; i++) {
        c.addr[i] = (struct os_ip) { .v6 = false };
        memcpy(c.addr[i].ip, ip[i], 4);
    }
    sock_endpoint_write(&c, endpoint);
}

/* ---- descriptors ---- */

/* From now on no descriptor can be had: the limit is the lowest free number. */
static void take_descriptors(struct rlimit *before)
{
    int lowest = dup(0);

    CHECK(lowest >= 0 && !close(lowest) && !getrlimit(RLIMIT_NOFILE, before));
    struct rlimit none = { .rlim_cur = (rlim_t) lowest, .rlim_max = before->rlim_max };
    CHECK(!setrlimit(RLIMIT_NOFILE, &none));
}

/* The error is returned at once, and the peer is not lost: later it works. */
static void no_descriptor_to_dial(void)
{
    struct dev_pkt pkt = { .flags = DEV_PLAIN };
    struct rlimit before;

    if (rig.rank == 0) {
        traffic_expect_loss = true;
        take_descriptors(&before);
        CHECK(rig.dev->inject(rig_peer(1), &pkt, NULL) == -EMFILE);
        CHECK(rig.dev->inject(rig_peer(1), &pkt, NULL) == -EMFILE);
        CHECK(!setrlimit(RLIMIT_NOFILE, &before));
        traffic_expect_loss = false;
        traffic_send(1, 10, SEND);
        traffic_send(1, 10, INJECT);
    } else {
        RIG_WAIT(traffic_got(0) == 2);
    }
    rig_barrier();
}

static void fails(struct dev_send *op, int err)
{
    op->sent = (size_t) -err;
    op->done = NULL;
}

static void no_descriptor_to_send(void)
{
    struct dev_send op = { .pkt = { .flags = DEV_PLAIN }, .done = fails };
    struct rlimit before;

    if (rig.rank == 0) {
        take_descriptors(&before);
        rig.dev->send(rig_peer(1), &op);
        RIG_WAIT(!op.done);
        CHECK(op.sent == EMFILE);
        CHECK(!setrlimit(RLIMIT_NOFILE, &before));
    }
    rig_barrier();
}

static int listen_at(const unsigned char ip[4], uint16_t port)
{
    struct os_ip a = { .v6 = false };
    struct sockaddr_storage s;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    memcpy(a.ip, ip, 4);
    socklen_t len = os_ip_socket(&a, port, &s);
    CHECK(fd >= 0 && !bind(fd, (struct sockaddr *) &s, len) && !listen(fd, 8));
    return fd;
}

static uint16_t port_of(int rank)
{
    struct sock_endpoint c;

    CHECK(!sock_endpoint_parse(rig.shared->endpoint[rank], &c));
    return c.port;
}

/* Descriptors run out between two attempts. The first address accepts and closes. */
static void no_descriptor_to_retry(void)
{
    static const unsigned char ip[][4] = { { 127, 9, 9, 9 } };
    static char endpoint[DEV_ENDPOINT_MAX];
    struct dev_send op = { .pkt = { .flags = DEV_PLAIN }, .done = fails };
    struct rlimit before;

    hosts_differ = true;
    if (rig.rank == 0) {
        int fd = listen_at(ip[0], port_of(1));
        endpoint_of(ip, 1, endpoint);
        rig.peer[1].endpoint = endpoint;
        rig.dev->send(rig_peer(1), &op);
        int caller = accept(fd, NULL, NULL);
        CHECK(caller >= 0 && !close(caller));
        RIG_WAIT(!sock_dev.count[CONN_CONNECTING] && !sock_dev.count[CONN_HELLO_SENT]);
        take_descriptors(&before);
        RIG_WAIT(!op.done);
        CHECK(op.sent == EMFILE && !traffic_lost(1) && !sock_dev.dials);
        CHECK(!setrlimit(RLIMIT_NOFILE, &before));
        (void) close(fd);
        rig_del_peer(1);
    }
    rig_barrier();
}

/* Without a free descriptor an unauthenticated connection is closed to dial a peer. */
static void descriptor_of_unauthenticated(void)
{
    static const unsigned char here[] = { 127, 0, 0, 1 };
    struct rlimit before;

    if (rig.rank == 0) {
        struct sockaddr_storage s;
        struct os_ip a = { .v6 = false };
        memcpy(a.ip, here, 4);
        socklen_t len = os_ip_socket(&a, port_of(0), &s);
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK(fd >= 0 && !connect(fd, (struct sockaddr *) &s, len));
        RIG_WAIT(sock_dev.count[CONN_UNAUTHENTICATED] == 1);
        take_descriptors(&before);
        traffic_send(1, 10, SEND);
        CHECK(sock_dev.count[CONN_UNAUTHENTICATED] == 0);
        RIG_WAIT(!traffic_pending());
        CHECK(!setrlimit(RLIMIT_NOFILE, &before));
        (void) close(fd);
    } else {
        RIG_WAIT(traffic_got(0) == 1);
    }
    rig_barrier();
}

/* An acceptor without a descriptor ends new connections; the dialer tries again. */
static void no_descriptor_to_accept(void)
{
    struct rlimit before;

    if (rig.rank == 1)
        take_descriptors(&before);
    rig_barrier();
    if (rig.rank == 0)
        traffic_send(1, 10, SEND);
    for (uint64_t end = os_time_ns() + 300000000; os_time_ns() < end;)
        (void) rig_poll();
    CHECK(!traffic_got(0));
    if (rig.rank == 1) {
        CHECK(!setrlimit(RLIMIT_NOFILE, &before));
        RIG_WAIT(traffic_got(0) == 1);
    }
    RIG_WAIT(!traffic_pending());
    rig_barrier();
}

/* ---- peers ---- */

static void exchange(void)
{
    uint32_t before = traffic_got(other());

    traffic_send(other(), 50000, SEND);
    traffic_send(other(), 10, INJECT);
    RIG_WAIT(traffic_got(other()) == before + 2 && !traffic_pending());
}

/* Both processes delete their peer, and connect again. */
static void reconnect(void)
{
    for (int i = 0; i < 5; i++) {
        exchange();
        rig_barrier();
        rig_del_peer(other());
    }
    rig_barrier();
}

/* One process deletes its peer, the other notices, and either connects again. */
static void one_side_reconnects(void)
{
    for (int i = 0; i < 6; i++) {
        exchange();
        rig_barrier();
        if (rig.rank == i % 2)
            rig_del_peer(other());
        RIG_WAIT(sock_dev.count[CONN_UP] == 0); /* messages sent before that would be lost */
        rig_barrier();
    }
}

/* A peer that has ended before the first message is lost at once, not after the peer timeout. */
static void exited_before_first_message(void)
{
    if (rig.rank == 1) {
        atomic_fetch_add(&rig.shared->flag[0], 1);
        return;
    }
    RIG_WAIT(!atomic_load(&rig.shared->alive[1]));
    traffic_expect_loss = true;
    traffic_send(1, 100, SEND);
    traffic_send(1, 100000, SEND);
    for (uint64_t end = os_time_ns() + 1000000000; os_time_ns() < end && !traffic_lost(1);)
        (void) rig_poll();
    CHECK(traffic_lost(1) == 1 && traffic_lost_error(1) == -ECONNREFUSED && traffic_failed() == 2);
}

/* A peer that closed in order after an exchange is not lost until a message is sent to it again. */
static void exited_after_message(void)
{
    exchange();
    rig_barrier();
    if (rig.rank == 1)
        return;
    RIG_WAIT(!atomic_load(&rig.shared->alive[1]));
    for (uint64_t end = os_time_ns() + 50000000; os_time_ns() < end;)
        (void) rig_poll();
    traffic_expect_loss = true;
    CHECK(!traffic_lost(1));
    traffic_send(1, 100, SEND);
    for (uint64_t end = os_time_ns() + 1000000000; os_time_ns() < end && !traffic_lost(1);)
        (void) rig_poll();
    CHECK(traffic_lost(1) == 1 && traffic_failed() == 1);
}

static void bad_endpoints(void)
{
    static const char *const bad[] = { NULL, "", "nonsense", "s2-0-0-0-2" };

    for (int i = 0; i < 4; i++) {
        struct dev_peer p = { .job = &rig.job, .rank = 1, .endpoint = bad[i] };
        CHECK(rig.dev->cost(&p) < 0);
        CHECK(rig.dev->add_peer(&p) < 0);
    }
    struct dev_peer self = { .job = &rig.job, .rank = 0, .endpoint = rig.shared->endpoint[0] };
    CHECK(rig.dev->cost(&self) < 0);
}

/* ---- addresses that do not answer ---- */

/* Addresses that reach nothing come before the one that is right. */
static void unreachable_addresses(void)
{
    static const unsigned char ip[][4] = { { 127, 1, 2, 3 },
                                           { 255, 255, 255, 255 },
                                           { 127, 0, 0, 1 } };
    static char endpoint[DEV_ENDPOINT_MAX];

    hosts_differ = true;
    if (rig.rank == 0) {
        endpoint_of(ip, 3, endpoint);
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 100, SEND);
        traffic_send(1, 100, INJECT);
    } else {
        RIG_WAIT(traffic_got(0) == 2);
    }
    RIG_WAIT(!traffic_pending());
    rig_barrier();
}

/* An address that accepts and then is silent: after a while the next one is tried too. */
static void silent_address(void)
{
    static const unsigned char ip[][4] = { { 127, 1, 2, 3 }, { 127, 0, 0, 1 } };
    static char endpoint[DEV_ENDPOINT_MAX];

    hosts_differ = true;
    if (rig.rank == 0) {
        int fd = listen_at(ip[0], port_of(1));
        endpoint_of(ip, 2, endpoint);
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 100, SEND);
        RIG_WAIT(sock_dev.count[CONN_HELLO_SENT] == 1);
        RIG_WAIT(!traffic_pending());
        CHECK(sock_dev.count[CONN_UP] == 1 && !sock_dev.count[CONN_HELLO_SENT]);
        (void) close(fd);
    } else {
        RIG_WAIT(traffic_got(0) == 1);
    }
    rig_barrier();
}

static void use_loopback(void) { sock_interface = "lo"; }

/* A host that has an IPv6 address and nothing else. */
static void ipv6_only(void)
{
    static char endpoint[DEV_ENDPOINT_MAX];
    struct sock_endpoint c;
    struct os_iface lo6;

    bool have = os_ifaces("::1", &lo6, 1) == 1;
    CHECK(!sock_endpoint_parse(rig.shared->endpoint[1], &c));
    c.host++;
    c.count = 1;
    c.addr[0] = (struct os_ip) { .v6 = true, .ip = { [15] = 1 } };
    sock_endpoint_write(&c, endpoint);
    if (rig.rank == 0 && have) {
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 100, SEND);
        RIG_WAIT(!traffic_pending());
    }
    if (rig.rank == 1 && have)
        RIG_WAIT(traffic_got(0) == 1);
    rig_barrier();
}

static void no_route(void)
{
    static const unsigned char ip[][4] = { { 255, 255, 255, 255 } };
    static char endpoint[DEV_ENDPOINT_MAX];

    hosts_differ = true;
    rig.env.peer_timeout_s = 1;
    traffic_expect_loss = true;
    if (rig.rank == 0) {
        uint64_t start = os_time_ns();
        endpoint_of(ip, 1, endpoint);
        rig.peer[1].endpoint = endpoint;
        traffic_send(1, 100, SEND);
        RIG_WAIT(traffic_lost(1));
        uint64_t ms = (os_time_ns() - start) / 1000000;
        CHECK(ms >= 900 && ms < 3000 && traffic_failed() == 1);
    }
    rig_barrier();
}

int main(int argc, char **argv)
{
    static const struct rig_plan plans[] = {
        { .name = "no_descriptor_to_dial", .size = 2, .run = no_descriptor_to_dial },
        { .name = "no_descriptor_to_send", .size = 2, .run = no_descriptor_to_send },
        { .name = "no_descriptor_to_retry", .size = 2, .run = no_descriptor_to_retry },
        { .name = "descriptor_of_unauthenticated",
          .size = 2,
          .run = descriptor_of_unauthenticated },
        { .name = "no_descriptor_to_accept", .size = 2, .run = no_descriptor_to_accept },
        { .name = "reconnect", .size = 2, .run = reconnect },
        { .name = "one_side_reconnects", .size = 2, .run = one_side_reconnects },
        { .name = "exited_before_first_message", .size = 2, .run = exited_before_first_message },
        { .name = "exited_after_message", .size = 2, .run = exited_after_message },
        { .name = "bad_endpoints", .size = 1, .run = bad_endpoints },
        { .name = "unreachable_addresses", .size = 2, .run = unreachable_addresses },
        { .name = "silent_address", .size = 2, .run = silent_address },
        { .name = "ipv6_only", .size = 2, .apart = true, .before = use_loopback, .run = ipv6_only },
        { .name = "no_route", .size = 2, .run = no_route },
    };
    int bad = 0;

    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (argc < 2 || !strcmp(argv[1], plans[i].name))
            bad += !rig_run(rig_device("sockets"), &plans[i]);
    return bad != 0;
}
