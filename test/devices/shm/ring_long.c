/* ring_long.c — a long ring: only its start is used while the reader keeps up, and all of it when
 * the reader does not run. */
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { LINES = 4095, NEAR = LINES / 2, LARGE = 3000, LARGE_LINES = (LARGE + 40 + 63) / 64 };

static struct shm_peer *them; /* both ends: this process sends to itself */
static unsigned nsent, ngot;

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) from;
    assert_int_equal(pkt->tag, (int) ngot);
    assert_true(rig_is_filled(payload, pkt->payload, ngot));
    ngot++;
    return 0;
}

static bool push(size_t len)
{
    const struct dev_pkt pkt = { .payload = len, .len = len, .tag = (int) nsent, .key = 7 };
    char data[LARGE];

    rig_fill(data, len, nsent);
    int rc = len < 30 ? dev_shm.inject_plain(them->peer, 0, 0, (int) nsent, data, len)
                      : dev_shm.inject(them->peer, &pkt, data);
    assert_true(rc == 0 || rc == DEV_AGAIN);
    nsent += rc == 0;
    return rc == 0;
}

static void drain(void)
{
    while (dev_shm.poll())
        ;
    assert_int_equal(ngot, nsent);
}

/* All lines that were written are read: the writer counts all but two of the ring as free. */
static void check_free_lines(void)
{
    const struct shm_tx *t = &them->tx;
    int credit = t->credit < 0 ? t->credit + SHM_CLOSED : t->credit;

    assert_int_equal(credit + t->free + (int) (them->rx.consumed - t->seen), LINES - 2);
}

static int setup(void **state)
{
    (void) state;
    rig_upcalls = (struct dev_upcalls) { .recv = recv_up };
    rig_make(1);
    rig_join(0);
    them = rig_peer(0)->priv;
    shm_lines_each = LINES;
    nsent = ngot = 0;
    for (int i = 0; i < 5; i++) /* the last of these is the first in the ring */
        assert_true(push(8));
    drain();
    return !them->tx.ring;
}

static int teardown(void **state)
{
    (void) state;
    rig_leave();
    rig_drop();
    return 0;
}

static unsigned position(void) { return (unsigned) (them->tx.at - them->tx.ring->line); }

/* Messages of all sizes, and a reader that always takes what has come. */
static void near_while_the_reader_keeps_up(void **state)
{
    unsigned most = 0;

    (void) state;
    for (int i = test_size(15000, 50000); i > 0; i--) {
        assert_true(push(unit_random(10) ? unit_random(30) : unit_random(LARGE)));
        if (unit_random(2))
            drain();
        most = position() > most ? position() : most;
    }
    assert_true(most > NEAR / 2 && most <= NEAR + LARGE_LINES);
}

/* Lines that may be written to a reader that does not run, from any position of the writer: on
 * average more than three quarters of the ring. */
static void all_of_it_otherwise(void **state)
{
    const unsigned long rounds = (unsigned long) test_size(150, 500);
    unsigned long sum = 0;

    (void) state;
    for (unsigned long round = 0; round < rounds; round++) {
        for (unsigned n = unit_random(NEAR); n > 0; n--) {
            assert_true(push(8));
            drain();
        }
        unsigned n = 0;
        while (push(LARGE))
            n++;
        assert_true(n * LARGE_LINES > NEAR / 2);
        sum += n * LARGE_LINES;
        drain();
    }
    assert_true(sum > rounds * (LINES * 3ul / 4));
}

/* A reader that keeps up for some time and then does not run for some time: the writer comes
 * near the end of the ring while most of it is free, with credit for an entry but not for the
 * lines up to the end as well. */
static void a_reader_that_runs_at_times(void **state)
{
    (void) state;
    for (int round = test_size(6000, 20000); round > 0; round--) {
        bool runs = unit_random(2);
        for (unsigned n = unit_random(runs ? 40 : 120); n > 0; n--) {
            if (!push(unit_random(3) ? LARGE - 1 - unit_random(100) : unit_random(LARGE)))
                drain();
            if (runs)
                drain();
        }
        drain();
        check_free_lines();
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(near_while_the_reader_keeps_up),
        TEST(all_of_it_otherwise),
        TEST(a_reader_that_runs_at_times),
    };

    return UNIT_RUN(tests);
}
