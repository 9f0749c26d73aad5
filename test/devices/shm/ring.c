/* ring.c — a ring, with both ends in one process: every size at every position, full, torn, and
 * written over. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "shm_rig.h"

extern const struct dev_ops dev_shm;

enum { MOST = SHM_FRAG_MAX, LARGE = 3 << 20, PLACES = 1024 };

static struct shm_ring *ring;

enum { LINES = 191 };         /* the shortest ring: it wraps often */
static struct shm_peer *them; /* both ends: this process sends to itself */
static char data[MOST];

/* ---- what arrives ---------------------------------------------------------------------------- */

struct arrival {
    size_t len;
    uint32_t seed;
    bool plain;
} expected[PLACES];

static unsigned nsent, ngot, nlost, nbroken, nrefused;
static int refuse_with;
static char *large;
static size_t large_room;

static bool as_sent(const struct dev_pkt *pkt)
{
    const struct arrival *a = &expected[ngot % PLACES];

    return pkt->payload == a->len && pkt->ctx == a->seed && pkt->rank == (int) a->seed + 1
           && pkt->tag == (int) a->seed + 2 && !!(pkt->flags & DEV_PLAIN) == a->plain;
}

static int recv_up(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    nrefused += refuse_with != 0;
    if (refuse_with)
        return refuse_with;
    assert_ptr_equal(from, them->peer);
    assert_true(ngot < nsent);
    assert_true(as_sent(pkt));
    assert_true(rig_is_filled(payload, pkt->payload, pkt->ctx));
    if (!(pkt->flags & DEV_PLAIN))
        assert_true(pkt->key == 77 && pkt->addr == 88);
    ngot++;
    return 0;
}

static int recv_begin_up(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target)
{
    if (refuse_with)
        return refuse_with;
    assert_ptr_equal(from, them->peer);
    assert_true(as_sent(pkt));
    *target = (struct dev_target) { .iov = { { large, large_room } },
                                    .iovcnt = large_room > 0,
                                    .cookie = &large };
    return 0;
}

static void recv_end_up(struct dev_target *target, int err)
{
    const struct arrival *a = &expected[ngot % PLACES];
    size_t fits = a->len < large_room ? a->len : large_room;

    assert_ptr_equal(target->cookie, &large);
    if (err) {
        nbroken++;
        return;
    }
    assert_true(rig_is_filled(large, fits, a->seed));
    assert_int_equal(large[large_room], '#');
    ngot++;
}

static void lost_up(struct dev_peer *peer, int err)
{
    assert_ptr_equal(peer, them->peer);
    assert_true(err < 0);
    nlost++;
}

/* ---- both ends ------------------------------------------------------------------------------- */

static int setup(void **state)
{
    (void) state;
    rig_upcalls = (struct dev_upcalls) {
        .recv = recv_up, .recv_begin = recv_begin_up, .recv_end = recv_end_up, .peer_lost = lost_up
    };
    rig_make(1);
    rig_join(0);
    them = rig_peer(0)->priv;
    shm_lines_each = LINES;
    nsent = ngot = nlost = nbroken = nrefused = 0;
    refuse_with = 0;
    large = malloc(LARGE + 1);
    large_room = LARGE;
    memset(large, '#', LARGE + 1);
    for (int i = 0; i < 5; i++) { /* the last of these is the first in the ring */
        const struct dev_pkt pkt = { .flags = DEV_PLAIN, .rank = 1, .tag = 2 };
        expected[nsent++] = (struct arrival) { .plain = true };
        assert_int_equal(dev_shm.inject(them->peer, &pkt, NULL), 0);
    }
    while (dev_shm.poll())
        ;
    assert_int_equal(ngot, nsent);
    ring = them->tx.ring;
    assert_ptr_equal(them->rx.ring, ring);
    return !large;
}

static int teardown(void **state)
{
    (void) state;
    rig_leave();
    rig_drop();
    free(large);
    return 0;
}

static struct dev_pkt packet(size_t len, bool plain)
{
    expected[nsent % PLACES] = (struct arrival) { len, nsent, plain };
    return (struct dev_pkt) { .payload = len,
                              .type = 0,
                              .flags = plain ? DEV_PLAIN : 0,
                              .ctx = nsent,
                              .rank = (int) nsent + 1,
                              .tag = (int) nsent + 2,
                              .len = len,
                              .addr = 88,
                              .key = 77 };
}

static bool push(size_t len, bool plain)
{
    const struct dev_pkt pkt = packet(len, plain);

    assert_true(nsent - ngot < PLACES);
    rig_fill(data, len, nsent);
    int rc = plain && len % 2
                 ? dev_shm.inject_plain(them->peer, pkt.ctx, pkt.rank, pkt.tag, data, len)
                 : dev_shm.inject(them->peer, &pkt, data);
    assert_true(rc == 0 || rc == DEV_AGAIN);
    assert_int_equal(atomic_load(&them->tx.at->word), 0);
    assert_int_equal(atomic_load(&shm_ring_step(&them->tx, them->tx.at, 1)->word), 0);
    nsent += rc == 0;
    return rc == 0;
}

static void drain(void)
{
    while (dev_shm.poll())
        ;
    assert_int_equal(ngot, nsent);
    assert_int_equal(nlost, 0);
}

static unsigned position(void) { return (unsigned) (them->tx.at - ring->line); }

/* ---- entries --------------------------------------------------------------------------------- */

/* The entry that wraps, and the one behind it, at each line where an entry may begin. */
static void wraps_at_every_position(void **state)
{
    static const size_t sizes[] = { 0,  1,   8,    39,   40,   41,   56,   64,
                                    65, 120, 1000, 2048, 4031, 4032, 4095, MOST };

    (void) state;
    for (unsigned at = 0; at < LINES; at++) {
        for (int i = 0; i < 16; i++) {
            while (position() != at) {
                assert_true(push(unit_random(40), true));
                drain();
            }
            assert_true(push(sizes[i], i % 2));
            assert_true(push(3, true));
            drain();
        }
    }
}

static size_t random_size(void)
{
    uint32_t kind = unit_random(10);

    return kind < 6 ? unit_random(100) : kind < 9 ? unit_random(1000) : unit_random(MOST + 1);
}

/* A reader that is fast or slow: what comes out is what went in. */
static void random_sizes(void **state)
{
    unsigned again = 0;

    (void) state;
    for (int i = 0; i < 60000; i++) {
        if (unit_random(100) < (i / 2000 % 2 ? 98u : 60u))
            again += !push(random_size(), unit_random(2));
        else
            (void) dev_shm.poll();
        assert_int_equal(nlost, 0);
    }
    assert_true(again > 100); /* the ring was full often */
    drain();
}

/* Full to the last line: nothing is written over, and there is credit again when it is read. */
static void full(void **state)
{
    (void) state;
    for (int round = 0; round < 2000; round++) {
        size_t size = random_size();
        int n = 0;
        while (push(size, round % 2))
            n++;
        size_t lines =
            shm_lines(size + (round % 2 ? sizeof(struct shm_plain) : sizeof(struct shm_full)));
        assert_true((size_t) n * lines >= LINES / 4);
        assert_int_equal(atomic_load(&ring->writer_waits), 1);
        drain();
        assert_true(push(size, round % 2)); /* however little credit was returned */
        drain();
    }
}

/* A writer that waits for credit is woken when there is some, and only then. */
static void woken_for_credit(void **state)
{
    (void) state;
    atomic_store(&rig->slot[0].asleep, DEV_ASLEEP);
    assert_true(push(8, true));
    assert_int_equal(atomic_load(&rig->wakes), 1); /* for the entry */
    drain();
    while (push(1000, true))
        ;
    atomic_store(&rig->wakes, 0);
    atomic_store(&rig->slot[0].asleep, DEV_ASLEEP);
    drain();
    assert_int_equal(atomic_load(&rig->wakes), 1);
    atomic_store(&rig->slot[0].asleep, DEV_ASLEEP);
    for (int i = 0; i < 2000; i++) { /* no writer waits: the reader wakes none */
        atomic_store(&rig->slot[0].asleep, DEV_AWAKE);
        assert_true(push(8, true));
        atomic_store(&rig->slot[0].asleep, DEV_ASLEEP);
        drain();
    }
    assert_int_equal(atomic_load(&rig->wakes), 1);
}

/* An entry that is not published is not read, whatever is in its bytes. */
static void not_before_it_is_whole(void **state)
{
    (void) state;
    for (int i = 0; i < 3000; i++) {
        size_t size = random_size();
        char *at = shm_ring_reserve(&them->tx, shm_lines(size + sizeof(struct shm_full)));
        assert_non_null(at);
        rig_fill(at + 8, size + sizeof(struct shm_full) - 8, 1);
        drain();
        assert_true(push(size, false));
        drain();
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

static int ndone, done_err;

static void done(struct dev_send *op, int err)
{
    (void) op;
    ndone++;
    done_err = err;
}

static struct dev_send *stream(size_t len)
{
    struct dev_send *op = calloc(1, sizeof *op + len);
    char *bytes = (char *) (op + 1);

    assert_non_null(op);
    *op = (struct dev_send) { .pkt = packet(len, false), .done = done };
    rig_fill(bytes, len, nsent);
    for (size_t at = 0; at < len && op->iovcnt < DEV_IOV_MAX;) { /* in an iov of any lengths */
        size_t left = len - at;
        size_t n = op->iovcnt == DEV_IOV_MAX - 1 ? left : unit_random((uint32_t) left + 1);
        op->iov[op->iovcnt++] = (struct iovec) { bytes + at, n };
        at += n;
    }
    nsent++;
    return op;
}

static void large_messages(void **state)
{
    static const size_t sizes[] = { 0,        1,      MOST - 1, MOST,   MOST + 1,
                                    2 * MOST, 100001, 524288,   999999, LARGE };

    (void) state;
    for (int i = 0; i < 20; i++) {
        struct dev_send *op = stream(sizes[i % 10]);
        large_room = i < 10 ? LARGE : unit_random(LARGE);
        memset(large, '#', LARGE + 1);
        ndone = 0;
        dev_shm.send(them->peer, op);
        while (ngot < nsent)
            assert_true(dev_shm.poll());
        assert_true(ndone == 1 && done_err == 0);
        free(op);
    }
    large_room = LARGE;
}

/* Small messages behind a large one wait for it. */
static void no_overtaking(void **state)
{
    struct dev_send *op[3];
    const struct dev_pkt pkt = { .flags = DEV_PLAIN };

    (void) state;
    ndone = 0;
    for (int i = 0; i < 3; i++) {
        op[i] = stream(200000);
        dev_shm.send(them->peer, op[i]);
        assert_int_equal(dev_shm.inject(them->peer, &pkt, NULL), DEV_AGAIN);
        assert_int_equal(dev_shm.inject_plain(them->peer, 0, 0, 0, "x", 1), DEV_AGAIN);
    }
    while (ngot < nsent)
        assert_true(dev_shm.poll());
    assert_int_equal(ndone, 3);
    assert_true(push(10, true) && push(11, true));
    drain();
    for (int i = 0; i < 3; i++)
        free(op[i]);
}

/* ---- what a healthy peer does not do --------------------------------------------------------- */

/* Puts this word where the next entry would begin. From then on sends must fail at once, and
 * done() is called for those under way before the peer is lost. */
static void lost_by(uint64_t word, bool whole_ring)
{
    struct dev_pkt pkt = { .flags = DEV_PLAIN };
    struct dev_send *op = stream(400000);

    nsent--;
    for (unsigned at = them->rx.pos, n = whole_ring ? LINES : 1; n > 0; n--, at++)
        atomic_store(&ring->line[at % LINES].word, word);
    ndone = 0;
    atomic_store(&ring->consumed, them->rx.consumed);
    them->tx.credit = -SHM_CLOSED; /* full: the op stays with the device */
    them->tx.free = 0;
    them->tx.seen = them->rx.consumed;
    dev_shm.send(them->peer, op);
    assert_int_equal(ndone, 0);
    for (int i = 0; i < 10; i++)
        (void) dev_shm.poll();
    assert_int_equal(nlost, 1);
    assert_true(ndone == 1 && done_err < 0);
    assert_true(dev_shm.inject(them->peer, &pkt, NULL) < 0);
    assert_true(dev_shm.inject_plain(them->peer, 0, 0, 0, "x", 1) < 0);
    ndone = 0;
    op->sent = 0;
    dev_shm.send(them->peer, op);
    assert_true(ndone == 1 && done_err < 0);
    assert_null(them->rx.ring);
    free(op);
}

static const struct dev_pkt none = { .type = 0 };

static void unknown_kind(void **state)
{
    (void) state;
    lost_by((uint64_t) 99 << 32, false);
}

static void kind_zero(void **state)
{
    (void) state;
    lost_by(5, false);
}

static void marker_in_a_ring(void **state)
{
    (void) state;
    lost_by(shm_word(SHM_RING, &none, 8), false);
}

static void too_large(void **state)
{
    (void) state;
    lost_by(shm_word(SHM_FRAG, &none, SHM_FRAG_LATER + 1), false);
}

static void fragment_of_nothing(void **state)
{
    (void) state;
    lost_by(shm_word(SHM_FRAG, &none, 100), false);
}

static void coop_fragment_of_nothing(void **state)
{
    (void) state;
    lost_by(shm_word(SHM_COOP_FRAG, &none, 100), false);
}

/* An entry that would reach beyond the end of the ring. */
static void beyond_the_end(void **state)
{
    (void) state;
    while (position() != LINES - 1) {
        assert_true(push(1, true));
        drain();
    }
    refuse_with = -EPROTO;
    lost_by(shm_word(SHM_PLAIN, &none, SHM_FRAG_MAX), false);
    assert_int_equal(nrefused, 0); /* the bytes there are no message */
}

static void refused_by_adi3(void **state)
{
    (void) state;
    refuse_with = -EPROTO;
    lost_by(shm_word(SHM_PLAIN, &none, 8), true);
    assert_int_equal(nrefused, 1);
}

/* A message begins before the one before it is complete. */
static void begins_within_another(void **state)
{
    (void) state;
    struct dev_send *op = stream(400000);
    ndone = 0;
    dev_shm.send(them->peer, op);
    (void) dev_shm.poll();
    assert_true(them->rx.partial);
    struct shm_full *e = (struct shm_full *) (void *) &ring->line[them->rx.pos];
    e->pkt = (struct dev_pkt) { .payload = 10, .len = 10 };
    atomic_store(&e->word, shm_word(SHM_FULL, &e->pkt, 10));
    refuse_with = -EPROTO;
    for (int i = 0; i < 10; i++)
        (void) dev_shm.poll();
    assert_int_equal(nrefused, 0); /* ADI3 was not asked */
    assert_true(nbroken == 1 && nlost == 1 && ndone == 1);
    free(op);
}

/* A peer dies within a message: what is under way ends with an error. */
static void dies_within_a_message(void **state)
{
    (void) state;
    struct dev_send *op = stream(400000);
    dev_shm.send(them->peer, op);
    (void) dev_shm.poll();
    assert_true(them->rx.partial);
    ndone = 0;
    dev_shm.del_peer(them->peer);
    assert_int_equal(nbroken, 1);
    assert_true(ndone == 1 && done_err == -ECONNRESET);
    assert_false(dev_shm.poll() && dev_shm.poll());
    assert_int_equal(nlost, 0); /* ADI3 knows */
    free(op);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wraps_at_every_position),
        TEST(random_sizes),
        TEST(full),
        TEST(woken_for_credit),
        TEST(not_before_it_is_whole),
        TEST(large_messages),
        TEST(no_overtaking),
        TEST(unknown_kind),
        TEST(kind_zero),
        TEST(marker_in_a_ring),
        TEST(too_large),
        TEST(fragment_of_nothing),
        TEST(coop_fragment_of_nothing),
        TEST(beyond_the_end),
        TEST(refused_by_adi3),
        TEST(begins_within_another),
        TEST(dies_within_a_message),
    };

    return UNIT_RUN(tests);
}
