/* mirror.c — the whole protocol against itself, at random.
 *
 * Each packet sent to a peer comes back as that peer's own, late and torn: we are both ends of
 * every message. Whatever the device does meanwhile, each message arrives whole, once, and in
 * order, and at the end nothing is left. */
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { STEPS = 100000, MOST = 5000, TAGS = 3, LARGEST = 20000, WINDOW = 40 };

static char pattern[LARGEST + 256];

struct message {
    struct adi3_request *r; /* NULL when it was done at once */
    size_t len, room;
    char *buf;
};

/* By peer and tag: sends and receives match in the order in which they were started. */
static struct lane {
    struct message out[MOST], in[MOST];
    int sent, sent_done, wanted, wanted_done;
} * lanes[FAKE_SIZE][TAGS];

static char *content(int peer, int tag, int n) { return pattern + (peer * 31 + tag * 7 + n) % 256; }

static size_t some_length(void)
{
    static const size_t around[] = { 0, 64, 128, 512, 4096, LARGEST };

    if (unit_random(2))
        return unit_random(300);
    size_t at = around[unit_random(6)];
    return at ? at - unit_random(2) : unit_random(5000);
}

static void start_send(int peer, int tag)
{
    struct lane *l = lanes[peer][tag];
    struct message *m = &l->out[l->sent];

    if (l->sent - l->sent_done >= WINDOW || l->sent == MOST)
        return;
    m->len = some_length();
    m->buf = content(peer, tag, l->sent++);
    m->r = fake_isend(m->buf, m->len, peer, tag, unit_random(4) ? ADI3_STANDARD : ADI3_SYNC);
}

static void start_recv(int peer, int tag)
{
    struct lane *l = lanes[peer][tag];
    struct message *m = &l->in[l->wanted];

    if (l->wanted - l->wanted_done >= WINDOW || l->wanted == MOST)
        return;
    m->room = unit_random(3) ? LARGEST : some_length();
    m->buf = malloc(m->room + 8);
    assert_non_null(m->buf);
    memset(m->buf, '#', m->room + 8);
    m->r = fake_irecv(m->buf, m->room, peer, tag);
    l->wanted++;
}

/* The packet comes back from where it went, under that peer's own rank. */
static void reflect(void)
{
    struct fake_packet *p = fake_take();
    bool torn = p->pkt.payload && unit_random(2);

    if (p->pkt.type == PKT_EAGER || p->pkt.type == PKT_RTS)
        p->pkt.rank = p->to;
    assert_int_equal(fake_arrive(p->to, p->pkt, p->payload, torn ? 1 + (int) unit_random(4) : 0),
                     0);
    free(p);
}

static void finish_send(struct lane *l)
{
    struct message *m = &l->out[l->sent_done];

    if (l->sent_done == l->sent || !fake_done(m->r))
        return;
    assert_int_equal(fake_result(m->r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    l->sent_done++;
}

static void finish_recv(struct lane *l, int peer, int tag)
{
    struct message *m = &l->in[l->wanted_done];
    MPI_Status st;

    if (l->wanted_done == l->wanted || !fake_done(m->r))
        return;
    int n = l->wanted_done++;
    assert_true(n < l->sent); /* only messages that were sent */
    size_t len = l->out[n].len, fits = len < m->room ? len : m->room;
    assert_int_equal(fake_class(fake_result(m->r, &st)),
                     len > m->room ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    assert_true(st.MPI_SOURCE == peer && st.MPI_TAG == tag && (size_t) st.count_lo == fits);
    assert_memory_equal(m->buf, content(peer, tag, n), fits);
    for (size_t i = fits; i < m->room + 8; i++)
        assert_int_equal(m->buf[i], '#');
    free(m->buf);
}

/* The device has room or not, at random. */
static void change_mood(void)
{
    int fate = (int) unit_random(8);

    fake.again = fate == 0 ? -1 : (int) unit_random(4);
    fake.holds = fate < 3;
    fake.get_fails = fate == 4;
    for (int peer = 1; peer < FAKE_SIZE; peer++)
        adi3_procs[peer].peer.can_get = fate != 5 && fate != 6;
    fake.cannot_get = fate == 5;
    if (fate == 6)
        fake_without_get();
    else if (!fake.cannot_get)
        fake_with_get();
}

static void step(bool starts)
{
    int peer = 1 + (int) unit_random(FAKE_SIZE - 1), tag = (int) unit_random(TAGS);
    uint32_t what = unit_random(100);

    if (what < 20 && starts)
        start_send(peer, tag);
    else if (what < 40 && starts)
        start_recv(peer, tag);
    else if (what < 50)
        fake_finish(0);
    else if (what < 80 && fake_waiting() && !fake_holds_first())
        reflect();
    else if (what < 90)
        finish_send(lanes[peer][tag]);
    else
        finish_recv(lanes[peer][tag], peer, tag);
    if (unit_random(50) == 0)
        change_mood();
}

static bool balanced(struct lane *l, int peer, int tag)
{
    while (l->wanted < l->sent && l->wanted - l->wanted_done < WINDOW)
        start_recv(peer, tag);
    while (l->sent < l->wanted && l->sent - l->sent_done < WINDOW)
        start_send(peer, tag);
    return l->sent == l->wanted && l->sent == l->sent_done && l->wanted == l->wanted_done;
}

static void everything_arrives_once(void **state)
{
    (void) state;
    for (int i = 0; i < STEPS; i++)
        step(true);
    for (bool over = false; !over;) {
        for (int i = 0; i < 1000; i++)
            step(false);
        over = fake_waiting() == 0;
        for (int peer = 1; peer < FAKE_SIZE; peer++)
            for (int tag = 0; tag < TAGS; tag++)
                over &= balanced(lanes[peer][tag], peer, tag);
    }
    for (int peer = 1; peer < FAKE_SIZE; peer++) /* no credit is lost, and none made */
        assert_int_equal(adi3_procs[peer].credit + adi3_procs[peer].pending_credit, proto_credit);
}

static int begin(void **state)
{
    (void) setenv("STARLING_EAGER_CREDIT", "30k", 1); /* so that it runs out again and again */
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (char) (i * 37 + i / 251);
    for (int peer = 1; peer < FAKE_SIZE; peer++)
        for (int tag = 0; tag < TAGS; tag++)
            assert_non_null(lanes[peer][tag] = calloc(1, sizeof(struct lane)));
    return fake_setup(state);
}

static int end(void **state)
{
    for (int peer = 1; peer < FAKE_SIZE; peer++)
        for (int tag = 0; tag < TAGS; tag++)
            free(lanes[peer][tag]);
    return fake_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(everything_arrives_once, fake_settled),
    };

    return UNIT_RUN_BETWEEN(tests, begin, end);
}
