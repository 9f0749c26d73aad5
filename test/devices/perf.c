/* perf.c — a device beside a bare TCP connection, in one run and in turns: what does it add?
 *
 * Usage: perf DEVICE [ROUNDS [pingpong | stream]]      two processes, one core each
 * Prints the medians and their ratio, and the ratio of the lower quartiles: on a busy machine those
 * are the samples that nobody disturbed. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "rig.h"

enum { ROUNDS_MAX = 101, LARGE = 4 << 20, SMALL = 1 << 16, WINDOW = 4 };

static char *payload, *landing;
static uint32_t got;
static int open_ops, raw = -1, rounds = 9;
static enum { ALL, PINGPONG, STREAM } what;

/* ---- the device ---- */

static int perf_recv(struct dev_peer *from, const struct dev_pkt *pkt, const void *data)
{
    (void) from;
    memcpy(landing, data, (size_t) pkt->payload);
    got++;
    return 0;
}

static int perf_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    (void) from;
    target->iov[0] = (struct iovec) { landing, (size_t) pkt->payload };
    target->iovcnt = 1;
    return 0;
}

static void perf_end(struct dev_target *target, int err)
{
    (void) target;
    CHECK(!err);
    got++;
}

static void perf_lost(struct dev_peer *peer, int err)
{
    (void) peer;
    CHECK(!err);
}

static const struct dev_upcalls upcalls = { .recv = perf_recv,
                                            .recv_begin = perf_begin,
                                            .recv_end = perf_end,
                                            .peer_lost = perf_lost,
                                            .job = rig_job,
                                            .peer = rig_peer_of };

static void done(struct dev_send *op, int err)
{
    (void) op;
    CHECK(!err);
    open_ops--;
}

static void put(struct dev_send *op, size_t size)
{
    struct dev_peer *to = rig_peer(1 - rig.rank);
    struct dev_pkt pkt = { .payload = size, .flags = DEV_PLAIN, .len = size };

    if (size <= rig.limits.inject_max) {
        while (rig.dev->inject(to, &pkt, payload) == DEV_AGAIN)
            (void) rig_poll_device();
        return;
    }
    *op = (struct dev_send) { .pkt = pkt, .iov = { { payload, size } }, .iovcnt = 1, .done = done };
    open_ops++;
    rig.dev->send(to, op);
}

static void await(uint32_t count, int ops)
{
    while (got < count || open_ops > ops)
        (void) rig_poll_device();
}

static void device_pingpong(size_t size, int count)
{
    struct dev_send op;

    got = 0;
    for (int i = 0; i < count; i++) {
        if (rig.rank == 0)
            put(&op, size);
        await((uint32_t) i + 1, 0);
        if (rig.rank == 1)
            put(&op, size);
    }
    await((uint32_t) count, 0);
}

static void device_stream(size_t size, int count)
{
    struct dev_send op[WINDOW];

    got = 0;
    for (int i = 0; i < count && rig.rank == 0; i++) {
        await(0, WINDOW - 1);
        put(&op[i % WINDOW], size);
    }
    if (rig.rank == 1) {
        await((uint32_t) count, 0);
        put(op, 0);
    }
    await(1, 0);
}

/* ---- bare TCP ---- */

static void raw_put(size_t size)
{
    for (size_t sent = 0; sent < size;) {
        ssize_t n = send(raw, payload + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        CHECK(n > 0 || errno == EAGAIN);
        sent += n > 0 ? (size_t) n : 0;
    }
}

/* Lands on as much memory as with the device: a smaller place would stay in the cache. */
static void raw_get(size_t all, size_t span)
{
    for (size_t have = 0; have < all;) {
        size_t at = have % span, want = all - have < span - at ? all - have : span - at;
        ssize_t n = recv(raw, landing + at, want, MSG_DONTWAIT);
        CHECK(n > 0 || errno == EAGAIN);
        have += n > 0 ? (size_t) n : 0;
    }
}

static void raw_pingpong(size_t size, int count)
{
    for (int i = 0; i < count; i++) {
        if (rig.rank == 0)
            raw_put(size);
        raw_get(size, size);
        if (rig.rank == 1)
            raw_put(size);
    }
}

static void raw_stream(size_t size, int count)
{
    for (int i = 0; i < count && rig.rank == 0; i++)
        raw_put(size);
    if (rig.rank == 1) {
        raw_get(size * (size_t) count, size < SMALL ? SMALL : size);
        raw_put(1);
    } else {
        raw_get(1, 1);
    }
}

static void raw_connect(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

    if (rig.rank == 0) {
        CHECK(!bind(fd, (struct sockaddr *) &a, len) && !listen(fd, 1));
        CHECK(!getsockname(fd, (struct sockaddr *) &a, &len));
        atomic_store(&rig.shared->flag[0], ntohs(a.sin_port));
        raw = accept(fd, NULL, NULL);
    } else {
        int port;
        while (!(port = atomic_load(&rig.shared->flag[0])))
            os_yield();
        a.sin_port = htons((uint16_t) port);
        CHECK(!connect(fd, (struct sockaddr *) &a, len));
        raw = fd;
    }
    CHECK(!setsockopt(raw, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
}

/* ---- side by side ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static double measure(void (*run)(size_t, int), size_t size, int count)
{
    rig_barrier();
    uint64_t start = os_time_ns();
    run(size, count);
    return (double) (os_time_ns() - start) / count;
}

static void compare(const char *title, void (*const run[2])(size_t, int), size_t size, int count)
{
    double ns[2][ROUNDS_MAX];
    static const char *const unit[] = { "us one way", "us each" };
    int halves = run[0] == device_pingpong ? 2 : 1;

    for (int i = -1; i < rounds; i++)
        for (int k = 0; k < 2; k++) {
            int which = (i + k) & 1;
            double t = measure(run[which], size, count) / halves;
            if (i >= 0)
                ns[which][i] = t;
        }
    qsort(ns[0], (size_t) rounds, sizeof **ns, by_value);
    qsort(ns[1], (size_t) rounds, sizeof **ns, by_value);
    double d = ns[0][rounds / 2], r = ns[1][rounds / 2];
    if (rig.rank == 0)
        (void) printf("%-9s %7zu B  device %8.3f  bare TCP %8.3f %s  ratio %.2f  quartile %.2f  "
                      "%.2f GB/s\n",
                      title, size, d / 1e3, r / 1e3, unit[halves == 1], d / r,
                      ns[0][rounds / 4] / ns[1][rounds / 4], (double) size / d);
}

static void pin(void)
{
    struct os_cpus all;
    cpu_set_t one;

    os_cpus_allowed(&all);
    CPU_ZERO(&one);
    for (int i = 0, n = 0; i < OS_CPUS; i++)
        if (all.bits[i / 64] >> i % 64 & 1 && n++ == rig.rank)
            CPU_SET(i, &one);
    if (CPU_COUNT(&one))
        (void) sched_setaffinity(0, sizeof one, &one);
}

/* Of large messages fewer. */
static int count_of(size_t size, int most)
{
    int n = (int) ((32u << 20) / size);

    return n < most ? n : most;
}

static void run(void)
{
    static void (*const pingpong[2])(size_t, int) = { device_pingpong, raw_pingpong };
    static void (*const stream[2])(size_t, int) = { device_stream, raw_stream };

    pin();
    payload = calloc(1, LARGE);
    landing = calloc(1, LARGE);
    CHECK(payload && landing);
    raw_connect();
    for (size_t size = 1; size <= LARGE; size *= size < 1024 ? 8 : 4)
        if (what != STREAM)
            compare("ping-pong", pingpong, size, count_of(size, 500));
    for (size_t size = 8; size <= LARGE; size *= size < 1024 ? 8 : 4)
        if (what != PINGPONG)
            compare("stream", stream, size, count_of(size, 8000));
    free(payload);
    free(landing);
}

int main(int argc, char **argv)
{
    static const struct rig_plan plan = {
        .name = "perf", .size = 2, .run = run, .up = &upcalls, .limit_ms = 600000
    };

    if (argc < 2)
        return 2;
    if (argc > 2)
        rounds = (int) strtol(argv[2], NULL, 10);
    if (argc > 3)
        what = !strcmp(argv[3], "stream") ? STREAM : PINGPONG;
    (void) setvbuf(stdout, NULL, _IOLBF, 0);
    if (rounds < 1 || rounds > ROUNDS_MAX)
        return 2;
    return !rig_run(rig_device(argv[1]), &plan);
}
