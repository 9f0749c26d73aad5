/* fifo.c — the receive FIFO, with many writers: what each writes arrives in order and whole; it may
 * be full; and a writer that is killed at any moment holds back no other one. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "devices/shm/fifo.h"
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { WRITERS = 6, EACH = 20000, READER = 0, KILLS = 120 };

static uint32_t next_from[RIG_MOST];
static unsigned total;
static uint64_t read_before; /* cells, before the device was opened again */

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    int writer = from->rank;

    CHECK(pkt->rank == writer && pkt->ctx == next_from[writer] && pkt->payload == pkt->ctx % 90);
    CHECK(rig_is_filled(payload, pkt->payload, pkt->ctx));
    next_from[writer]++;
    total++;
    return 0;
}

static void lost_up(struct dev_peer *peer, int err)
{
    (void) peer;
    CHECK(!err && "a healthy peer was given up");
}

static int setup(void **state)
{
    (void) state;
    rig_upcalls = (struct dev_upcalls) { .recv = recv_up, .peer_lost = lost_up };
    memset(next_from, 0, sizeof next_from);
    total = 0;
    rig_make(RIG_MOST);
    read_before = shm_fifo_head;
    rig_join(READER);
    assert_true(shm_fifo_head == read_before); /* a counter only grows */
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    rig_leave();
    rig_drop();
    return 0;
}

/* ---- a writer -------------------------------------------------------------------------------- */

static struct dev_peer *join_as_writer(int index)
{
    rig_join(index);
    struct dev_peer *to = rig_peer(READER);
    struct shm_peer *p = to->priv;
    p->tx.refused = true; /* no ring: all goes through the FIFO */
    return to;
}

static bool write_one(struct dev_peer *to, uint32_t n)
{
    char data[96];
    size_t len = n % 90;
    const struct dev_pkt pkt = {
        .payload = len, .flags = DEV_PLAIN, .ctx = n, .rank = rig_node.index, .tag = 5
    };

    rig_fill(data, len, n);
    int rc = dev_shm.inject(to, &pkt, data);
    CHECK(rc == 0 || rc == DEV_AGAIN);
    return rc == 0;
}

static void writes_all(void *arg)
{
    struct dev_peer *to = join_as_writer(*(int *) arg);

    for (uint32_t n = 0; n < EACH;) {
        if (write_one(to, n))
            n++;
        else
            os_yield();
    }
}

/* The hint where the next free cell is must not stay behind: each claim looks at all cells from
 * there on. */
static void hint_keeps_up(void)
{
    uint64_t tail = atomic_load(&shm_own_fifo->tail) - read_before;

    assert_in_range(tail, total - 2 * WRITERS, total + 2 * WRITERS);
}

static void in_order_from_each(void **state)
{
    int index[WRITERS];
    pid_t child[WRITERS];

    (void) state;
    for (int i = 0; i < WRITERS; i++) {
        index[i] = i + 1;
        child[i] = unit_fork(writes_all, &index[i]);
    }
    while (total < WRITERS * EACH) { /* in bursts: meanwhile only writers use the FIFO */
        for (int i = 0; i < 5 && total < WRITERS * EACH - SHM_CELLS; i++)
            os_yield();
        while (dev_shm.poll())
            ;
    }
    for (int i = 0; i < WRITERS; i++) {
        assert_true(unit_ended_well(child[i]));
        assert_int_equal(next_from[i + 1], EACH);
    }
    assert_false(dev_shm.poll());
    hint_keeps_up();
}

/* ---- full ------------------------------------------------------------------------------------ */

static void says_when_it_is_full(void **state)
{
    struct dev_peer *to = rig_peer(READER);
    struct shm_peer *p = to->priv;
    uint32_t n = 0;

    (void) state;
    p->tx.refused = true;
    for (int round = 0; round < 300; round++) {
        uint32_t begin = n;
        while (write_one(to, n))
            n++;
        assert_int_equal(n - begin, SHM_CELLS);
        assert_null(shm_fifo_claim(shm_own_fifo, READER));
        assert_int_equal(atomic_load(&shm_own_fifo->writer_waits), 1);
        while (dev_shm.poll())
            ;
        assert_int_equal(total, n);
        assert_int_equal(atomic_load(&shm_own_fifo->writer_waits), 0);
    }
}

/* The table of MPI_Finalize shows which peers have no ring for lack of room. */
static void says_that_there_is_no_ring(void **state)
{
    struct dev_peer *to = rig_peer(READER);
    struct shm_peer *p = to->priv;
    char text[DEV_ENDPOINT_MAX];

    (void) state;
    p->tx.refused = false;
    dev_shm.describe(to, text, sizeof text);
    assert_null(strstr(text, "ring"));
    p->tx.refused = true;
    dev_shm.describe(to, text, sizeof text);
    assert_non_null(strstr(text, ", no room for a ring"));
    dev_shm.describe(to, text, 8); /* no more than there is room for */
    assert_int_equal(strlen(text), 7);
}

/* Writers that wait for a cell are woken when the first one is free. A reader wakes no process
 * when no writer waits. */
static void wakes_waiting_writers(void **state)
{
    struct dev_peer *to = rig_peer(READER);
    struct shm_peer *p = to->priv;
    uint32_t n = 0;

    (void) state;
    p->tx.refused = true;
    atomic_store(&rig->slot[7].asleep, DEV_ASLEEP);
    while (write_one(to, n))
        n++;
    int before = atomic_load(&rig->wakes);
    (void) dev_shm.poll();
    assert_true(atomic_load(&rig->wakes) > before);
    assert_int_equal(atomic_load(&rig->slot[7].asleep), DEV_AWAKE);
    while (dev_shm.poll())
        ;
    atomic_store(&rig->slot[7].asleep, DEV_ASLEEP);
    assert_true(write_one(to, n));
    assert_true(dev_shm.poll());
    assert_int_equal(atomic_load(&rig->slot[7].asleep), DEV_ASLEEP);
}

static int ndone;

static void done(struct dev_send *op, int err)
{
    (void) op;
    assert_int_equal(err, 0);
    ndone++;
}

/* The announcement of a ring finds no cell: all that follows waits behind it, and it is tried again
 * whatever other processes do. */
static void marker_waits_for_a_cell(void **state)
{
    struct dev_peer *to = rig_peer(READER);
    struct shm_peer *p = to->priv;
    char data[96];
    uint32_t n = 0;

    (void) state;
    p->tx.refused = true;
    while (n < 30 && write_one(to, n)) /* so that the message that waits would fit into a cell */
        n++;
    assert_true(dev_shm.poll());
    while (write_one(to, n))
        n++;
    p->tx.refused = false;
    assert_false(write_one(to, n));
    assert_false(p->tx.announced);
    assert_true(n % 90 < 30);
    atomic_store(&p->tx.fifo->rings, 1000); /* other processes have made rings meanwhile */
    struct dev_send op = { .pkt = { .payload = n % 90, .ctx = n, .rank = READER },
                           .iov = { { data, n % 90 } },
                           .iovcnt = 1,
                           .done = done };
    rig_fill(data, n % 90, n);
    ndone = 0;
    dev_shm.send(to, &op);
    assert_int_equal(ndone, 0);
    for (n++; total < n;)
        assert_true(dev_shm.poll());
    assert_true(p->tx.announced && ndone == 1);
    assert_true(write_one(to, n++) && write_one(to, n++));
    while (total < n)
        assert_true(dev_shm.poll());
}

/* ---- death ----------------------------------------------------------------------------------- */

static void claims_and_waits(void *arg)
{
    struct dev_peer *to = join_as_writer(*(int *) arg);
    struct shm_peer *p = to->priv;

    CHECK(write_one(to, 0));
    CHECK(shm_fifo_claim(p->tx.fifo, rig_node.index));
    atomic_store(&rig->go, 1);
    for (;;)
        (void) pause();
}

/* Behind a claim of a living process all entries wait for it. A claim of a dead one is passed
 * over. */
static void passes_over_the_dead(void **state)
{
    struct dev_peer *to = rig_peer(READER);
    struct shm_peer *p = to->priv;
    int index = 1;

    (void) state;
    p->tx.refused = true;
    for (uint32_t n = 0; n < 20; n++) {
        next_from[1] = 0;
        atomic_store(&rig->go, 0);
        pid_t child = unit_fork(claims_and_waits, &index);
        while (!atomic_load(&rig->go))
            os_yield();
        assert_true(write_one(to, n));
        for (int i = 0; i < 200; i++)
            (void) dev_shm.poll();
        assert_int_equal(next_from[1], 1);
        assert_int_equal(next_from[READER], n); /* this process's entry is behind the claim */
        unit_kill(child);
        for (int i = 0; i < 40; i++) /* the reader looks a few times before it asks */
            (void) dev_shm.poll();
        assert_int_equal(next_from[READER], n + 1);
    }
}

static void writes_for_ever(void *arg)
{
    struct dev_peer *to = join_as_writer(*(int *) arg);

    for (uint32_t n = 0;;)
        if (write_one(to, n))
            n++;
        else
            os_yield();
}

/* Two writers that live, and a series of writers that are killed at any moment. */
static void killed_at_random_moments(void **state)
{
    int living[2] = { 1, 2 }, victim;
    pid_t child[2], dying;

    (void) state;
    for (int i = 0; i < 2; i++)
        child[i] = unit_fork(writes_all, &living[i]);
    for (victim = 3; victim < 3 + KILLS; victim++) {
        uint32_t enough = 1 + unit_random(200);
        dying = unit_fork(writes_for_ever, &victim);
        while (next_from[victim] < enough)
            if (!dev_shm.poll())
                os_yield();
        unit_kill(dying);
    }
    while (next_from[1] < EACH || next_from[2] < EACH)
        if (!dev_shm.poll())
            os_yield();
    assert_true(unit_ended_well(child[0]) && unit_ended_well(child[1]));
    for (int i = 0; i < 100; i++)
        (void) dev_shm.poll();
    assert_true(write_one(rig_peer(READER), 0) && dev_shm.poll()); /* and the FIFO still works */
    assert_int_equal(next_from[READER], 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(in_order_from_each),       TEST(says_when_it_is_full),
        TEST(wakes_waiting_writers),    TEST(says_that_there_is_no_ring),
        TEST(marker_waits_for_a_cell),  TEST(passes_over_the_dead),
        TEST(killed_at_random_moments),
    };

    return UNIT_RUN(tests);
}
