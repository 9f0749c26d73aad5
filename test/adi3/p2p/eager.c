/* eager.c — eager messages: of every size, whole and in parts, expected and unexpected, too long;
 * and which call waits for what (P04, P05, P09, P12, P15). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { MAX = FAKE_EAGER_MAX };

static char out[MAX + 1], in[MAX + 100];

static void fill(size_t len, unsigned seed)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (char) (seed + i * 13 + i / 251);
}

/* in has len bytes of out, and beyond them what it had before. */
static void check_in(size_t len)
{
    assert_memory_equal(in, out, len);
    for (size_t i = len; i < sizeof in; i++)
        assert_int_equal(in[i], '#');
}

static const size_t sizes[] = { 0,   1,   7,   8,    63,   64,   65,   127,  128, 129,
                                511, 512, 513, 1000, 4000, 4032, 4095, 4096, MAX };
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- sending --------------------------------------------------------------------------------- */

static void check_packet(size_t len, int tag)
{
    struct fake_packet *p = fake_take();

    assert_true(p->to == 1 && p->pkt.type == PKT_EAGER && p->pkt.payload == len);
    assert_true(p->pkt.rank == FAKE_RANK && p->pkt.tag == tag && p->pkt.flags == DEV_PLAIN);
    assert_int_equal(p->pkt.ctx, adi3_world.send_ctx);
    assert_memory_equal(p->payload, out, len);
    free(p);
}

static void small_ones_need_no_request(void **state)
{
    (void) state;
    for (int i = 0; i < SIZES && sizes[i] <= FAKE_INJECT_MAX; i++) {
        fill(sizes[i], (unsigned) i);
        assert_null(fake_isend(out, sizes[i], 1, i, ADI3_STANDARD));
        check_packet(sizes[i], i);
    }
}

static void done_when_the_device_lets_go(void **state)
{
    (void) state;
    fake.holds = true;
    for (int i = 0; i < SIZES; i++) {
        fake.again = 1; /* small ones cannot be injected either */
        fill(sizes[i], (unsigned) i);
        struct adi3_request *r = fake_isend(out, sizes[i], 1, i, ADI3_STANDARD);
        assert_false(fake_done(r));
        fake_finish(0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
        check_packet(sizes[i], i);
        adi3_procs[1].credit = proto_credit;
    }
}

static void a_failing_device(void **state)
{
    struct adi3_data d = fake_bytes(out, 8);

    (void) state;
    fake.loses = true;
    int err = adi3_send(&d, 1, 0, &adi3_world, ADI3_STANDARD);
    assert_int_equal(fake_class(err), MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "process 1 of MPI_COMM_WORLD on far over fake"));
    struct adi3_request *r = fake_isend(out, 1000, 1, 0, ADI3_STANDARD);
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
    r = fake_isend(out, 1000, 1, 0, ADI3_SYNC);
    assert_false(r && fake_done(r)); /* peer_lost would follow */
    fake.loses = false;
    struct dev_pkt fin = { .type = PKT_FIN, .sreq = (uint32_t) r->handle };
    assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
    adi3_procs[1].credit = proto_credit;
}

/* P12: done when matched, whichever of FIN and done() comes first. */
static void synchronous(void **state)
{
    (void) state;
    fake.holds = true;
    for (int fin_first = 0; fin_first < 2; fin_first++) {
        fill(100, 3);
        struct adi3_request *r = fake_isend(out, 100, 1, 4, ADI3_SYNC);
        assert_false(fake_done(r));
        struct dev_pkt fin = { .type = PKT_FIN, .sreq = (uint32_t) r->handle };
        if (!fin_first)
            fake_finish(0);
        assert_false(fake_done(r));
        assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
        assert_int_equal(fake_done(r), !fin_first);
        fake_finish(0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
        struct dev_pkt pkt = fake_sent(1, PKT_EAGER);
        assert_int_equal(pkt.sreq, fin.sreq);
        assert_false(pkt.flags & DEV_PLAIN); /* that would lose the name of the request */
        assert_true(fake_arrive(1, fin, NULL, FAKE_WHOLE) < 0);
    }
}

/* ---- receiving ------------------------------------------------------------------------------- */

static void check_status(const MPI_Status *st, int source, int tag, size_t len)
{
    assert_int_equal(st->MPI_SOURCE, source);
    assert_int_equal(st->MPI_TAG, tag);
    assert_int_equal(st->count_lo, len);
    assert_int_equal(st->count_hi_and_cancelled, 0);
}

enum when { POSTED, WHILE_IT_COMES, UNEXPECTED, WHENS };

/* One message of len bytes into room for so many; its error class. */
static int receive(size_t len, size_t room, enum when when, int pieces)
{
    struct adi3_request *r = NULL;
    struct dev_target target;
    MPI_Status st;
    struct dev_pkt pkt = fake_eager(2, 5, len);

    if (room % 2)
        pkt = fake_plain(pkt);
    fill(len, (unsigned) len);
    memset(in, '#', sizeof in);
    if (when == POSTED)
        r = fake_irecv(in, room, len % 2 ? 2 : MPI_ANY_SOURCE, len % 3 ? 5 : MPI_ANY_TAG);
    if (when == WHILE_IT_COMES) {
        assert_int_equal(fake_begin(2, pkt, &target), 0);
        fake_pour(&target, out, len / 2);
        r = fake_irecv(in, room, 2, 5);
        assert_false(fake_done(r));
        fake_pour(&target, out + len / 2, len - len / 2);
        fake_end(&target, 0);
    } else {
        assert_int_equal(fake_arrive(2, pkt, out, pieces), 0);
    }
    if (when == UNEXPECTED)
        r = fake_irecv(in, room, MPI_ANY_SOURCE, MPI_ANY_TAG);
    int err = fake_result(r, &st);
    check_status(&st, 2, 5, len < room ? len : room);
    check_in(len < room ? len : room);
    return fake_class(err);
}

static void every_size_every_way(void **state)
{
    (void) state;
    for (int i = 0; i < SIZES; i++)
        for (enum when when = 0; when < WHENS; when++)
            for (int pieces = FAKE_WHOLE; pieces < 4; pieces++)
                assert_int_equal(receive(sizes[i], sizes[i] + (size_t) (i % 3), when, pieces),
                                 MPI_SUCCESS);
}

/* P04: the bytes that fit are there, those beyond untouched, and the text has both numbers. */
static void too_long(void **state)
{
    static const size_t rooms[] = { 0, 1, 50, 99 };

    (void) state;
    for (int i = 0; i < 4; i++)
        for (enum when when = 0; when < WHENS; when++)
            for (int pieces = FAKE_WHOLE; pieces < 4; pieces++)
                assert_int_equal(receive(100, rooms[i], when, pieces), MPI_ERR_TRUNCATE);
    assert_int_equal(receive(100, 100, POSTED, FAKE_WHOLE), MPI_SUCCESS); /* all goes on */
}

/* A vector of 25 blocks of 4 bytes, 9 bytes apart, takes what has come and nothing between. */
static void into_holes(void **state)
{
    struct adi3_type *v;
    struct adi3_data d = { in, 1, NULL };
    MPI_Request h;

    (void) state;
    assert_int_equal(adi3_type_hvector(25, 4, 9, adi3_type_builtin(MPI_BYTE), &v), MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    d.type = v;
    for (size_t len = 0; len <= 101; len++) {
        fill(len, 1);
        memset(in, '#', sizeof in);
        assert_int_equal(adi3_irecv(&d, 1, 0, &adi3_world, ADI3_STANDARD, &h), MPI_SUCCESS);
        assert_int_equal(fake_arrive(1, fake_eager(1, 0, len), out, (int) len % 3), 0);
        int err = fake_result(adi3_request_get(h), MPI_STATUS_IGNORE);
        assert_int_equal(fake_class(err), len > 100 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        for (size_t i = 0; i < sizeof in; i++) {
            size_t at = i / 9 * 4 + i % 9;
            bool covered = i < 25 * 9 && i % 9 < 4 && at < len;
            assert_int_equal(in[i], covered ? out[at] : '#');
        }
    }
    adi3_type_release(v);
}

static void null_for_nothing(void **state)
{
    (void) state;
    for (int pieces = 0; pieces < 2; pieces++) {
        struct adi3_request *r = fake_irecv(NULL, 0, 1, 1);
        assert_int_equal(fake_arrive(1, fake_eager(1, 1, 0), NULL, pieces), 0);
        assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    fake.again = 1;
    struct adi3_request *r = fake_isend(NULL, 0, 1, 1, ADI3_STANDARD);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_int_equal(fake_sent(1, PKT_EAGER).payload, 0);
}

/* A synchronous message wants its FIN when it is matched, not before. */
static void fin_at_the_match(void **state)
{
    struct dev_pkt pkt = fake_eager(1, 5, 40);
    struct dev_target target;

    (void) state;
    pkt.sreq = 4711;
    fake.again = 1; /* the FIN has to queue */
    struct adi3_request *r = fake_irecv(in, 40, 1, 5);
    assert_int_equal(fake_arrive(1, pkt, out, FAKE_WHOLE), 0);
    assert_int_equal(fake_sent(1, PKT_FIN).sreq, 4711);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);

    assert_int_equal(fake_arrive(1, pkt, out, FAKE_WHOLE), 0);
    assert_int_equal(fake_waiting(), 0);
    r = fake_irecv(in, 40, 1, 5);
    assert_int_equal(fake_sent(1, PKT_FIN).sreq, 4711);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);

    assert_int_equal(fake_begin(1, pkt, &target), 0);
    r = fake_irecv(in, 40, 1, 5);
    fake_end(&target, 0);
    assert_int_equal(fake_sent(1, PKT_FIN).sreq, 4711);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* ---- messages that break off ----------------------------------------------------------------- */

static void broken_off(void **state)
{
    struct dev_pkt pkt = fake_eager(1, 5, 1000);
    struct dev_target target;

    (void) state;
    pkt.sreq = 4711;
    memset(in, '#', sizeof in);
    struct adi3_request *r = fake_irecv(in, 1000, 1, 5);
    assert_int_equal(fake_begin(1, pkt, &target), 0);
    fake_pour(&target, out, 300);
    assert_false(fake_done(r));
    fake_end(&target, -ECONNRESET);
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);

    assert_int_equal(fake_begin(1, pkt, &target), 0);
    fake_pour(&target, out, 300);
    r = fake_irecv(in + 1000, 50, 1, 5);
    fake_end(&target, -ECONNRESET);
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
    for (int i = 0; i < 50; i++)
        assert_int_equal(in[1000 + i], '#');

    assert_int_equal(fake_begin(1, pkt, &target), 0);
    assert_int_equal(adi3_world.queue[0]->nunexpected, 1);
    fake_pour(&target, out, 300);
    fake_end(&target, -ECONNRESET); /* no receive was posted: as if it had never come */
    assert_int_equal(adi3_world.queue[0]->nunexpected, 0);
}

/* P15: the program has freed the request; the message still comes, then all is freed. */
static void released_while_active(void **state)
{
    struct dev_target target;

    (void) state;
    memset(in, '#', sizeof in);
    struct adi3_request *r = fake_irecv(in, 1000, 1, 5);
    adi3_request_release(r);
    assert_int_equal(fake_begin(1, fake_eager(1, 5, 1000), &target), 0);
    fill(1000, 9);
    fake_pour(&target, out, 1000);
    assert_int_equal(fake_requests(), 1);
    fake_end(&target, 0);
    check_in(1000);
    assert_int_equal(fake_requests(), 0);

    fake.holds = true;
    r = fake_isend(out, 1000, 1, 0, ADI3_SYNC);
    struct dev_pkt fin = { .type = PKT_FIN, .sreq = (uint32_t) r->handle };
    adi3_request_release(r);
    assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_requests(), 1);
    fake_finish(0);
    assert_int_equal(fake_requests(), 0);
    free(fake_take());
}

/* P21: a probe sees a message that is still arriving, with its whole length. */
static void probe_sees_what_arrives(void **state)
{
    struct dev_target target;
    MPI_Status st;
    bool found = true;

    (void) state;
    assert_int_equal(adi3_iprobe(1, 5, &adi3_world, &found, &st), MPI_SUCCESS);
    assert_false(found);
    assert_int_equal(fake_begin(1, fake_eager(1, 5, 1000), &target), 0);
    assert_int_equal(adi3_iprobe(MPI_ANY_SOURCE, 5, &adi3_world, &found, &st), MPI_SUCCESS);
    assert_true(found);
    check_status(&st, 1, 5, 1000);
    assert_int_equal(adi3_iprobe(1, 4, &adi3_world, &found, &st), MPI_SUCCESS);
    assert_false(found);
    fake_pour(&target, out, 1000);
    fake_end(&target, 0);
    assert_int_equal(fake_result(fake_irecv(in, 1000, 1, 5), &st), MPI_SUCCESS);
    assert_int_equal(adi3_iprobe(1, 5, &adi3_world, &found, &st), MPI_SUCCESS);
    assert_false(found);
}

#define TEST(name) cmocka_unit_test_teardown(name, fake_settled)

/* recv() returns 1 to the device for the message that a call waits for, and for no other. */
static int answer;

static bool brings_it(void)
{
    if (answer < 0)
        answer = fake_arrive(1, fake_eager(1, 5, 0), NULL, FAKE_WHOLE);
    return true;
}

static void what_is_awaited(void **state)
{
    const struct adi3_data nothing = { NULL, 0, adi3_type_builtin(MPI_BYTE) };

    (void) state;
    fake.poll = brings_it;
    answer = -1;
    assert_int_equal(adi3_recv(&nothing, 1, 5, &adi3_world, 0, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_int_equal(answer, 1);
    struct adi3_request *r = fake_irecv(NULL, 0, 1, 5);
    answer = -1;
    adi3_wait_for(r);
    assert_int_equal(answer, 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    fake.poll = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(small_ones_need_no_request),
        TEST(done_when_the_device_lets_go),
        TEST(a_failing_device),
        TEST(synchronous),
        TEST(every_size_every_way),
        TEST(too_long),
        TEST(into_holes),
        TEST(null_for_nothing),
        TEST(fin_at_the_match),
        TEST(broken_off),
        TEST(released_while_active),
        TEST(probe_sees_what_arrives),
        TEST(what_is_awaited),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
