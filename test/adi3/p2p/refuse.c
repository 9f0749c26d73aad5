/* refuse.c — a packet is accepted only if it makes sense and the request that it names awaits it
 * from its sender. Any other is refused, and the requests that wait for its sender fail. */
#include <errno.h>
#include <string.h>
#include "fake.h"

enum { LEN = 50000 };

static char out[LEN], in[LEN];

static int send_kind(int from, struct dev_pkt pkt)
{
    int rc = fake_arrive(from, pkt, out, FAKE_WHOLE);

    if (rc < 0)
        assert_int_equal(rc, -EPROTO);
    return rc;
}

static struct dev_pkt naming(int type, uint32_t cookie)
{
    return (struct dev_pkt) { .type = (uint8_t) type, .sreq = cookie, .rreq = cookie };
}

/* No packet that names a request may name this one. */
static void nobody_may_name(uint32_t cookie, int from)
{
    for (int type = PKT_CTS; type <= PKT_FIN; type++)
        assert_true(send_kind(from, naming(type, cookie)) < 0);
    struct dev_target target;
    struct dev_pkt data = naming(PKT_DATA, cookie);
    data.payload = 10;
    assert_int_equal(fake_begin(from, data, &target), -EPROTO);
}

/* ---- cookies --------------------------------------------------------------------------------- */

static void names_of_nothing(void **state)
{
    const uint32_t wrong[] = { 0,
                               1,
                               UINT32_MAX,
                               (uint32_t) MPI_REQUEST_NULL,
                               (uint32_t) MPI_COMM_WORLD,
                               (uint32_t) ADI3_REQUEST_COMPLETE,
                               0xacffffff,
                               0xac000000 | 0xfffff };

    (void) state;
    for (int i = 0; i < 8; i++)
        nobody_may_name(wrong[i], 1);
}

/* The names in a plain packet are bytes of no meaning. */
static void names_in_plain_packets(void **state)
{
    (void) state;
    struct adi3_request *s = fake_isend(out, LEN, 1, 0, ADI3_STANDARD);
    uint32_t h = (uint32_t) s->handle;
    fake_drop();
    for (int type = PKT_RTS; type < PKT_TYPES; type++) {
        struct dev_pkt pkt = naming(type, h);
        struct dev_target target;
        pkt.flags = DEV_PLAIN;
        assert_true(send_kind(1, pkt) < 0);
        pkt.payload = 10;
        assert_int_equal(fake_begin(1, pkt, &target), -EPROTO);
    }
    assert_int_equal(send_kind(1, naming(PKT_FIN, h)), 0);
    assert_int_equal(fake_result(s, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void names_of_another(void **state)
{
    (void) state;
    struct adi3_request *s = fake_isend(out, LEN, 1, 0, ADI3_STANDARD);
    uint32_t h = (uint32_t) s->handle;
    fake_drop();
    nobody_may_name(h, 2);                              /* of another peer */
    nobody_may_name(h ^ 1u << 20, 1);                   /* another generation */
    nobody_may_name(h ^ 1u << 31, 1);                   /* not of a pool */
    nobody_may_name(h ^ 1u << 26, 1);                   /* another kind */
    nobody_may_name(h + 1, 1);                          /* a slot that is free */
    assert_true(send_kind(1, naming(PKT_DATA, h)) < 0); /* a send awaits no data */
    assert_int_equal(send_kind(1, naming(PKT_CTS, h)), 0);
    (void) fake_sent(1, PKT_DATA);
    nobody_may_name(h, 1); /* it has had its answer, and is done */
    assert_int_equal(fake_result(s, MPI_STATUS_IGNORE), MPI_SUCCESS);
    nobody_may_name(h, 1); /* stale */
}

static void receives_that_await_nothing(void **state)
{
    (void) state;
    struct adi3_request *r = fake_irecv(in, LEN, 1, 0);
    uint32_t h = (uint32_t) r->handle;
    nobody_may_name(h, 1); /* nothing has matched yet */
    assert_int_equal(fake_arrive(1, fake_rts(1, 0, LEN, 5, NULL), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_sent(1, PKT_CTS).rreq, h);
    nobody_may_name(h, 2);
    assert_true(send_kind(1, naming(PKT_CTS, h)) < 0); /* a receive awaits data only */
    assert_true(send_kind(1, naming(PKT_FIN, h)) < 0);
    assert_false(fake_done(r));
    assert_int_equal(send_kind(1, naming(PKT_DATA, h)), 0);
    nobody_may_name(h, 1);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* While the data are with the device, and after the FIN of a synchronous message. */
static void sends_that_await_nothing(void **state)
{
    (void) state;
    fake.holds = true;
    struct adi3_request *s = fake_isend(out, 1000, 1, 0, ADI3_STANDARD);
    nobody_may_name((uint32_t) s->handle, 1);
    fake_finish(0);
    fake_drop();
    assert_int_equal(fake_result(s, MPI_STATUS_IGNORE), MPI_SUCCESS);
    s = fake_isend(out, 10, 1, 0, ADI3_SYNC);
    assert_true(send_kind(1, naming(PKT_CTS, (uint32_t) s->handle)) < 0);
    assert_int_equal(send_kind(1, naming(PKT_FIN, (uint32_t) s->handle)), 0);
    nobody_may_name((uint32_t) s->handle, 1);
    fake_finish(0);
    fake_drop();
    assert_int_equal(fake_result(s, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void the_text_says_who(void **state)
{
    (void) state;
    assert_true(send_kind(2, naming(PKT_CTS, 0x77)) < 0);
    int last = adi3_error(MPI_ERR_OTHER, "x");
    const char *text = adi3_error_text(last - (1 << 7)); /* the one before */
    assert_true(text && strstr(text, "process 2") && strstr(text, "0x77"));
}

/* ---- what makes no sense --------------------------------------------------------------------- */

static void impossible_packets(void **state)
{
    struct dev_pkt p;
    struct dev_target target;

    (void) state;
    for (int type = PKT_TYPES; type < 256; type++) {
        p = naming(type, 1);
        assert_true(send_kind(1, p) < 0);
        p.payload = p.len = 5;
        assert_int_equal(fake_begin(1, p, &target), -EPROTO);
    }
    for (int type = PKT_CTS; type < PKT_TYPES; type++) { /* these carry no payload */
        p = naming(type, 1);
        p.payload = 1;
        assert_true(send_kind(1, p) < 0);
    }
    for (int i = 0; i < 2; i++) { /* nor these more than a datatype, or one of nothing */
        p = fake_rts(1, 0, LEN, 5, i ? out : NULL);
        p.payload = i ? NONCONTIG_MOST + 1 : 1;
        assert_true(send_kind(1, p) < 0);
        assert_int_equal(fake_begin(1, p, &target), -EPROTO);
    }
    for (int type = PKT_CTS; type < PKT_TYPES; type++) { /* nor do they come in pieces */
        p = naming(type, 1);
        p.payload = p.len = 100;
        assert_int_equal(fake_begin(1, p, &target), -EPROTO);
    }
}

static void impossible_envelopes(void **state)
{
    struct dev_target target;

    (void) state;
    for (int i = 0; i < 4; i++) {
        struct dev_pkt p = fake_eager(i == 0   ? -1
                                      : i == 1 ? MPI_ANY_SOURCE
                                               : 1,
                                      i == 2   ? -1
                                      : i == 3 ? INT32_MIN
                                               : 0,
                                      10);
        assert_true(send_kind(1, p) < 0);
        assert_int_equal(fake_begin(1, p, &target), -EPROTO);
        p.type = PKT_RTS;
        p.payload = 0;
        assert_true(send_kind(1, p) < 0);
    }
    for (int more = -1; more <= 1;
         more += 2) { /* the length of an eager message is its payload's */
        struct dev_pkt p = fake_eager(1, 0, 10);
        p.len = (uint64_t) (10 + more);
        assert_true(send_kind(1, p) < 0);
        assert_int_equal(fake_begin(1, p, &target), -EPROTO);
    }
}

/* Lengths that no memory has, also those where adding a header begins again at 0. */
static void impossible_lengths(void **state)
{
    const uint64_t lens[] = { UINT64_MAX, UINT64_MAX - 100, UINT64_MAX - 250, UINT64_MAX / 2 };
    struct dev_target target;

    (void) state;
    for (int i = 0; i < 4; i++) {
        int rc = fake_begin(1, fake_eager(1, 0, lens[i]), &target);
        if (rc == 0)
            fake_end(&target, -ECONNRESET);
        assert_true(rc < 0);
    }
}

/* ---- numbers that are too large -------------------------------------------------------------- */

/* The device loses a peer whose packet was refused: then the request that the packet named must not
 * wait. */
static void asks_for_more_than_there_is(void **state)
{
    (void) state;
    struct adi3_request *s = fake_isend(out, LEN, 1, 0, ADI3_STANDARD);
    struct dev_pkt cts = { .type = PKT_CTS, .len = LEN + 1, .sreq = fake_sent(1, PKT_RTS).sreq };
    assert_true(send_kind(1, cts) < 0);
    assert_int_equal(fake_waiting(), 0);
    fake_lose(1);
    bool done = fake_done(s);
    if (done)
        assert_int_equal(fake_class(fake_result(s, MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
    else
        s->state = ADI3_DONE, adi3_request_release(s);
    assert_true(done);
}

static void gives_more_than_was_asked_for(void **state)
{
    struct dev_target target;

    (void) state;
    for (int pieces = 0; pieces < 2; pieces++) {
        memset(in, '#', sizeof in);
        struct adi3_request *r = fake_irecv(in, 100, 2, 0);
        assert_int_equal(fake_arrive(2, fake_rts(2, 0, LEN, 5, NULL), NULL, FAKE_WHOLE), 0);
        struct dev_pkt data = naming(PKT_DATA, fake_sent(2, PKT_CTS).rreq);
        data.payload = 101;
        assert_true((pieces ? fake_begin(2, data, &target) : send_kind(2, data)) < 0);
        for (int i = 0; i < 200; i++)
            assert_int_equal(in[i], '#');
        fake_lose(2);
        bool done = fake_done(r);
        if (done)
            (void) fake_result(r, MPI_STATUS_IGNORE);
        else
            r->state = ADI3_DONE, adi3_request_release(r);
        fake_stop();
        fake_start();
        assert_true(done);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_of_nothing),
        TEST(names_in_plain_packets),
        TEST(names_of_another),
        TEST(receives_that_await_nothing),
        TEST(sends_that_await_nothing),
        TEST(the_text_says_who),
        TEST(impossible_packets),
        TEST(impossible_envelopes),
        TEST(impossible_lengths),
        TEST(asks_for_more_than_there_is),
        TEST(gives_more_than_was_asked_for),
    };

    return UNIT_RUN(tests);
}
