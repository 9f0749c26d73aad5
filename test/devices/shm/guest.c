/* guest.c — processes of two jobs: each is a guest in the memory of the other's job. Messages of
 * all sizes go both ways, each through the memory of its receiver, beside those of the own job;
 * reads; and the end of a guest.
 *
 * Job 0 has many places, of which two are taken, so that its rings are shorter than those of job
 * 1, which has one process. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include "devices/shm/cma.h"
#include "devices/shm/fifo.h"
#include "devices/shm/tx.h"
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { PLACES = 24, MESSAGES = 330, LARGEST = 1 << 20, ALL = 3, LAST = 10 };
enum { FIRST, SECOND }; /* of job 0 */

static const size_t sizes[] = { 0, 8, 40, 41, 100, 1000, 4096, 4097, 16384, 70000, 700001 };
static char out[LARGEST], in[2][LARGEST]; /* from the own job, and from the other */
static uint32_t next[2];                  /* messages that have come whole, likewise */
static int dones, done_err, losses, torn; /* torn: payloads that ended with an error */

static size_t size_of(uint32_t n) { return sizes[n % (sizeof sizes / sizeof *sizes)]; }
static bool is_other(const struct dev_peer *p) { return p->node == &rig_other_node; }

/* ---- in place of ADI3 ------------------------------------------------------------------------ */

static bool as_sent(const struct dev_peer *from, const struct dev_pkt *pkt)
{
    uint32_t n = next[is_other(from)];

    return pkt->payload == size_of(n) && pkt->ctx == n && pkt->rank == from->rank
           && pkt->tag == (int) from->job->id;
}

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    CHECK(as_sent(from, pkt) && rig_is_filled(payload, pkt->payload, pkt->ctx));
    next[is_other(from)]++;
    return 0;
}

static int recv_begin_up(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target)
{
    CHECK(as_sent(from, pkt));
    target->iov[0] = (struct iovec) { in[is_other(from)], pkt->payload };
    target->iovcnt = 1;
    target->cookie = from;
    return 0;
}

static void recv_end_up(struct dev_target *target, int err)
{
    bool of_other = is_other(target->cookie);
    uint32_t n = next[of_other];

    CHECK(!err || err == -ECONNRESET);
    torn += err != 0;
    CHECK(err || rig_is_filled(in[of_other], size_of(n), n));
    next[of_other] += !err;
}

static void lost_up(struct dev_peer *peer, int err) { (void) peer, (void) err, losses++; }

static void sent(struct dev_send *op, int err)
{
    (void) op;
    dones++;
    done_err = err;
}

static void was_read(struct dev_get *op, int err)
{
    (void) op;
    dones++;
    done_err = err;
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct dev_pkt packet(uint32_t n)
{
    bool in_job_0 = rig_node.count == PLACES;

    return (struct dev_pkt) { .payload = size_of(n),
                              .flags = n % 2 ? DEV_PLAIN : 0,
                              .ctx = n,
                              .rank = rig_node.index,
                              .tag = in_job_0 ? 1 : 2 };
}

static void send_op(struct dev_peer *to, uint32_t n)
{
    struct dev_send op = {
        .pkt = packet(n), .iov[0] = { out, size_of(n) }, .iovcnt = 1, .done = sent
    };

    rig_fill(out, size_of(n), n);
    op.pkt.flags = 0;
    dones = 0;
    dev_shm.send(to, &op);
    while (!dones)
        if (!dev_shm.poll())
            os_yield();
    CHECK(!done_err);
}

static void send_one(struct dev_peer *to, uint32_t n)
{
    const struct dev_pkt pkt = packet(n);

    if (!(n % 3) || size_of(n) >= SHM_FRAG_MAX) {
        send_op(to, n);
        return;
    }
    rig_fill(out, size_of(n), n);
    while (dev_shm.inject(to, &pkt, out) == DEV_AGAIN)
        (void) dev_shm.poll();
}

static void receive_until(bool of_other, uint32_t n)
{
    while (next[of_other] < n)
        if (!dev_shm.poll())
            os_yield();
}

static bool is_in(const struct dev_node *n, const void *at)
{
    return (const char *) at >= n->base && (const char *) at < n->base + RIG_MEMORY;
}

/* Each ring is in the memory of its reader's job, and of the length that its writer chose. */
static void check_rings(void)
{
    const struct shm_peer *p = rig_other_peer(FIRST)->priv;

    CHECK(p->tx.ring && is_in(&rig_other_node, p->tx.ring) && !is_in(&rig_node, p->tx.ring));
    CHECK(p->rx.ring && is_in(&rig_node, p->rx.ring));
    CHECK(p->tx.ring->lines == shm_lines_each && p->rx.lines == p->rx.ring->lines);
    CHECK(p->tx.ring->lines != p->rx.lines);
}

/* The same in both jobs: talks with the first process of the other one. */
static void talk(void)
{
    rig_wait_ready(ALL);
    for (uint32_t n = 0; n < MESSAGES; n++) {
        send_one(rig_other_peer(FIRST), n);
        if (n % 50 == 0)
            receive_until(true, n);
    }
    receive_until(true, MESSAGES);
    check_rings();
    CHECK(losses == 0 && torn == 0);
}

static void first_talks(void *arg)
{
    (void) arg;
    rig_join(FIRST);
    talk();
    receive_until(false, MESSAGES);
}

static void guest_talks(void *arg)
{
    (void) arg;
    rig_join_other(FIRST);
    talk();
    CHECK(next[false] == 0);
}

static void second_sends_to_first(void *arg)
{
    (void) arg;
    rig_join(SECOND);
    rig_wait_ready(ALL);
    for (uint32_t n = 0; n < MESSAGES; n++)
        send_one(rig_peer(FIRST), n);
}

/* ---- a guest without a ring ------------------------------------------------------------------ */

static void send_some(uint32_t *n, uint32_t end)
{
    while (*n < end)
        send_op(rig_other_peer(FIRST), (*n)++);
}

/* There is no memory for its ring at first, and later there is. */
static void guest_is_refused(void *arg)
{
    (void) arg;
    rig_join_other(FIRST);
    rig_wait_ready(2);
    const struct shm_peer *p = rig_other_peer(FIRST)->priv;
    uint64_t used = atomic_exchange(&rig->used, RIG_MEMORY);
    uint32_t n = 0;
    send_some(&n, 20);
    CHECK(p->tx.refused && shm_refused == 1);
    for (atomic_store(&rig->used, used); !p->tx.ring && n < MESSAGES;)
        send_some(&n, n + 1);
    CHECK(p->tx.ring && !p->tx.refused && shm_refused == 0);
    send_some(&n, MESSAGES);
}

static void first_receives(void *arg)
{
    (void) arg;
    rig_join(FIRST);
    rig_wait_ready(2);
    receive_until(true, MESSAGES);
}

/* ---- reads ----------------------------------------------------------------------------------- */

static char readable[LARGEST]; /* at the same address in all processes */

/* Both at once: so each is reader and sender of cooperative copies. */
static void read_and_be_read(uint32_t seed, uint32_t other_seed)
{
    struct dev_peer *from = rig_other_peer(FIRST);

    rig_fill(readable, LARGEST, seed);
    atomic_fetch_add(&rig->go, 1);
    while (atomic_load(&rig->go) < 2)
        os_yield();
    for (uint32_t n = 0; n < 8; n++)
        send_one(from, n); /* afterwards both have rings */
    receive_until(true, 8);
    CHECK(from->can_get);
    for (size_t len = 1; len <= LARGEST; len = len * 3 + 1) {
        struct dev_get op = {
            .to = in[0], .addr = (uintptr_t) readable, .len = len, .done = was_read
        };
        memset(in[0], 0, len);
        dones = 0;
        dev_shm.get(from, &op);
        while (!dones)
            (void) dev_shm.poll();
        CHECK(!done_err && rig_is_filled(in[0], len, other_seed));
    }
    atomic_fetch_add(&rig->stop, 1);
    while (atomic_load(&rig->stop) < 2)
        (void) dev_shm.poll();
}

static void first_reads(void *arg)
{
    (void) arg;
    rig_join(FIRST);
    rig_wait_ready(2);
    read_and_be_read(7, 9);
}

static void guest_reads(void *arg)
{
    (void) arg;
    rig_join_other(FIRST);
    rig_wait_ready(2);
    read_and_be_read(9, 7);
}

/* ---- the end of a guest ---------------------------------------------------------------------- */

static struct dev_send large_message(uint32_t n)
{
    rig_fill(out, size_of(n), n);
    return (struct dev_send) {
        .pkt = packet(n), .iov[0] = { out, size_of(n) }, .iovcnt = 1, .done = sent
    };
}

/* Dies with a message that does not fit into the ring, and with a claimed cell. */
static void dies(void)
{
    struct dev_peer *to = rig_other_peer(FIRST);
    const struct shm_peer *p = to->priv;
    uint32_t n = 0;

    for (; n < LAST; n++)
        send_one(to, n);
    while (!atomic_load(&rig->go)) /* all these have come */
        os_yield();
    struct dev_send op = large_message(n);
    dones = 0;
    dev_shm.send(to, &op);
    CHECK(!dones && shm_fifo_claim(p->tx.fifo, to->node->index));
    (void) raise(SIGKILL);
}

/* Both ends of the guest are seen: that of the process, and that of the guest in our memory. All
 * that is under way ends then. */
static void survives(void)
{
    struct dev_peer *from = rig_other_peer(FIRST);
    int guest = rig_node.count + FIRST;

    CHECK(rig_node.alive(&rig_node, guest));
    receive_until(true, LAST);
    atomic_store(&rig->go, 1);
    while (rig_other_node.alive(&rig_other_node, FIRST) || rig_node.alive(&rig_node, guest))
        os_yield();
    while (dev_shm.poll())
        ;
    CHECK(next[true] == LAST && !torn);
    struct dev_send op = large_message(LAST);
    dones = 0;
    dev_shm.send(from, &op);
    CHECK(!dones);
    dev_shm.del_peer(from);
    CHECK(torn == 1 && dones == 1 && done_err == -ECONNRESET && !losses);
    CHECK(dev_shm.inject(from, &op.pkt, out) == -ECONNRESET);
    CHECK(!rig_given);
    dev_shm.forget_peer(from);
    CHECK(rig_given == 1 && !from->priv);
}

static void first_survives(void *arg)
{
    (void) arg;
    rig_join(FIRST);
    rig_wait_ready(ALL);
    survives();
    atomic_store(&rig->go, 2);
    receive_until(false, MESSAGES); /* the claimed cell is passed over */
}

static void second_sends_then(void *arg)
{
    (void) arg;
    rig_join(SECOND);
    rig_wait_ready(ALL);
    while (atomic_load(&rig->go) < 2)
        os_yield();
    for (uint32_t n = 0; n < MESSAGES; n++)
        send_one(rig_peer(FIRST), n);
}

static struct dev_peer *nobody(int index)
{
    (void) index;
    return NULL;
}

/* Announces its ring and dies. */
static void guest_announces(void *arg)
{
    (void) arg;
    rig_join_other(FIRST);
    rig_wait_ready(2);
    struct dev_send op = large_message(LAST);
    dev_shm.send(rig_other_peer(FIRST), &op);
    atomic_store(&rig->go, 1);
    (void) raise(SIGKILL);
}

/* Forgets it before it sees the announcement: the ring is given back all the same. */
static void first_forgets(void *arg)
{
    (void) arg;
    rig_join(FIRST);
    rig_wait_ready(2);
    while (!atomic_load(&rig->go) || rig_node.alive(&rig_node, rig_node.count + FIRST))
        os_yield();
    struct dev_peer *from = rig_other_peer(FIRST);
    dev_shm.del_peer(from);
    dev_shm.forget_peer(from);
    CHECK(!rig_given && dones == 0);
    rig_upcalls.peer_here = nobody;
    (void) dev_shm.poll();
    CHECK(rig_given == 1 && !losses && !torn);
}

static void guest_dies(void *arg)
{
    (void) arg;
    rig_join_other(FIRST);
    rig_wait_ready(ALL);
    dies();
}

static void guest_survives(void *arg)
{
    (void) arg;
    rig_join_other(FIRST);
    rig_wait_ready(2);
    survives();
}

static void first_dies(void *arg)
{
    (void) arg;
    rig_join(FIRST);
    rig_wait_ready(2);
    dies();
}

/* ---- the tests ------------------------------------------------------------------------------- */

static int setup(void **state)
{
    (void) state;
    rig_upcalls = (struct dev_upcalls) {
        .recv = recv_up, .recv_begin = recv_begin_up, .recv_end = recv_end_up, .peer_lost = lost_up
    };
    rig_make(PLACES);
    rig_make_other(1);
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    rig_drop();
    return 0;
}

static void talks_both_ways(void **state)
{
    (void) state;
    pid_t a = unit_fork(first_talks, NULL), b = unit_fork(second_sends_to_first, NULL),
          c = unit_fork(guest_talks, NULL);
    bool well = unit_ended_well(a);

    assert_true(unit_ended_well(b) && well);
    assert_true(unit_ended_well(c));
}

static void gets_a_ring_later(void **state)
{
    (void) state;
    pid_t a = unit_fork(first_receives, NULL), b = unit_fork(guest_is_refused, NULL);

    assert_true(unit_ended_well(a) & unit_ended_well(b));
}

/* False in qemu's emulation of a process, and in containers that forbid it. */
static bool can_read_memory(void)
{
    int from = 1, to = 0;

    return os_cma_read(getpid(), &to, &from, sizeof to) == 0;
}

static void reads_both_ways(void **state)
{
    (void) state;
    if (!can_read_memory())
        skip();
    shm_use_cma = true;
    pid_t a = unit_fork(first_reads, NULL), b = unit_fork(guest_reads, NULL);
    bool well = unit_ended_well(a);

    assert_true(unit_ended_well(b) && well);
}

static void outlives_a_guest(void **state)
{
    (void) state;
    pid_t a = unit_fork(first_survives, NULL), b = unit_fork(second_sends_then, NULL),
          c = unit_fork(guest_dies, NULL);

    assert_int_equal(unit_wait(c), SIGKILL);
    assert_true(unit_ended_well(a));
    assert_true(unit_ended_well(b));
}

static void a_guest_outlives(void **state)
{
    (void) state;
    pid_t a = unit_fork(first_dies, NULL), b = unit_fork(guest_survives, NULL);

    assert_int_equal(unit_wait(a), SIGKILL);
    assert_true(unit_ended_well(b));
}

static void unread_rings_come_back(void **state)
{
    (void) state;
    pid_t a = unit_fork(first_forgets, NULL), b = unit_fork(guest_announces, NULL);

    assert_int_equal(unit_wait(b), SIGKILL);
    assert_true(unit_ended_well(a));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(talks_both_ways),  TEST(gets_a_ring_later),
                                        TEST(reads_both_ways),  TEST(outlives_a_guest),
                                        TEST(a_guest_outlives), TEST(unread_rings_come_back) };

    return UNIT_RUN(tests);
}
