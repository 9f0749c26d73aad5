/* ring_stress.c — one process writes a ring and another reads it, both as fast as they can: no
 * entry is torn, stale, lost, doubled or out of order, and neither process waits for ever. */
#include <stdlib.h>
#include <string.h>
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { MESSAGES = 60000, LARGE = 2 << 20, EVERY = 5000, LIMIT_S = 40 };

static struct {
    uint32_t next;
    char *target;
} reader;

/* Both processes know the sizes: they are a function of the number. */
static size_t size_of(uint32_t n)
{
    uint64_t h = (n + 1) * 0x9e3779b97f4a7c15;

    if (n % EVERY == EVERY - 1)
        return LARGE - (h >> 50);
    return h >> 60 ? h >> 32 & 255 : h >> 40 & 8191;
}

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) from;
    CHECK(pkt->ctx == reader.next && pkt->payload == size_of(reader.next));
    CHECK(pkt->rank == 3 && pkt->tag == (int) (reader.next & 0xffff));
    CHECK(rig_is_filled(payload, pkt->payload, pkt->ctx));
    reader.next++;
    return 0;
}

static int recv_begin_up(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target)
{
    (void) from;
    CHECK(pkt->ctx == reader.next && pkt->payload == size_of(reader.next));
    *target = (struct dev_target) { .iov = { { reader.target, pkt->payload } }, .iovcnt = 1 };
    return 0;
}

static void recv_end_up(struct dev_target *target, int err)
{
    (void) target;
    CHECK(!err && rig_is_filled(reader.target, size_of(reader.next), reader.next));
    reader.next++;
}

static void lost_up(struct dev_peer *peer, int err)
{
    (void) peer;
    CHECK(!err && "a healthy peer was given up");
}

static void reads(void *arg)
{
    (void) arg;
    CHECK((reader.target = malloc(LARGE)));
    rig_join(0);
    rig_wait_ready(2);
    for (int idle = 0; reader.next < MESSAGES; idle++) {
        if (dev_shm.poll())
            idle = 0;
        else if (idle > 200)
            os_yield();
    }
    CHECK(!dev_shm.poll());
}

static bool sent;

static void done(struct dev_send *op, int err)
{
    (void) op;
    CHECK(!err);
    sent = true;
}

static void writes(void *arg)
{
    char *buf = malloc(LARGE);

    (void) arg;
    CHECK(buf);
    rig_join(1);
    rig_wait_ready(2);
    struct dev_peer *to = rig_peer(0);
    for (uint32_t n = 0; n < MESSAGES; n++) {
        size_t len = size_of(n);
        struct dev_send op = { .pkt = { .payload = len,
                                        .ctx = n,
                                        .rank = 3,
                                        .tag = (int) (n & 0xffff),
                                        .flags = n % 3 && len <= SHM_FRAG_MAX ? DEV_PLAIN : 0 },
                               .iov = { { buf, len } },
                               .iovcnt = len > 0,
                               .done = done };
        rig_fill(buf, len, n);
        while (len <= SHM_FRAG_MAX && dev_shm.inject(to, &op.pkt, buf))
            os_yield();
        if (len <= SHM_FRAG_MAX)
            continue;
        sent = false;
        for (dev_shm.send(to, &op); !sent;)
            if (!dev_shm.poll())
                os_yield();
    }
}

static void both_at_full_speed(void **state)
{
    uint64_t begin = os_time_ns();

    (void) state;
    rig_upcalls = (struct dev_upcalls) {
        .recv = recv_up, .recv_begin = recv_begin_up, .recv_end = recv_end_up, .peer_lost = lost_up
    };
    rig_make(2);
    pid_t r = unit_fork(reads, NULL), w = unit_fork(writes, NULL);
    bool wrote = unit_ended_well(w);
    if (!wrote)
        unit_kill(r);
    assert_true(wrote && unit_ended_well(r));
    assert_true(os_time_ns() - begin < LIMIT_S * 1000000000ull);
    rig_drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(both_at_full_speed) };

    return UNIT_RUN(tests);
}
