/* message.c — messages that a matched probe has taken: whole, announced, still arriving, or
 * lost; and ready sends that come too early. Protects P22. */
#include <errno.h>
#include <string.h>
#include "fake.h"

enum { LARGE = 50000, LEN = 1000 };

static char out[LARGE], in[LARGE];

static struct adi3_request *taken(int source, int tag)
{
    MPI_Message m;
    MPI_Status s;

    assert_int_equal(adi3_improbe(source, tag, &adi3_world, &m, &s), MPI_SUCCESS);
    assert_true(m != MPI_MESSAGE_NULL);
    assert_int_equal(adi3_world.queue[0]->nunexpected, 0);
    assert_null(adi3_request_get(m)); /* it is no request */
    struct adi3_request *r = adi3_message_get(m);
    assert_non_null(r);
    return r;
}

static void received(struct adi3_request *r, size_t len, int err)
{
    MPI_Status s;

    assert_int_equal(fake_class(fake_result(r, &s)), err);
    assert_int_equal(s.count_lo, len);
    assert_memory_equal(in, out, len);
    memset(in, 0, sizeof in);
}

static void claim(struct adi3_request *r, size_t room)
{
    const struct adi3_data d = fake_bytes(in, room);

    adi3_claim(r, &d);
    assert_null(adi3_message_get(r->handle));
    assert_ptr_equal(adi3_request_get(r->handle), r);
}

/* A synchronous send gets its FIN when the message is received, not when it is probed. */
static void whole(void **state)
{
    struct dev_pkt pkt = fake_eager(1, 4, LEN);

    (void) state;
    memset(out, 'o', sizeof out);
    pkt.sreq = 9;
    assert_int_equal(fake_arrive(1, pkt, out, FAKE_WHOLE), 0);
    struct adi3_request *r = taken(MPI_ANY_SOURCE, MPI_ANY_TAG);
    assert_int_equal(fake_waiting(), 0);
    claim(r, LEN);
    assert_int_equal(fake_sent(1, PKT_FIN).sreq, 9);
    received(r, LEN, MPI_SUCCESS);
}

static void announced(void **state)
{
    (void) state;
    assert_int_equal(fake_arrive(1, fake_rts(1, 4, LARGE, 9, NULL), NULL, FAKE_WHOLE), 0);
    struct adi3_request *r = taken(1, 4);
    const struct dev_pkt ask = { .type = PKT_CANCEL, .ctx = adi3_world.recv_ctx, .sreq = 9 };
    assert_int_equal(fake_arrive(1, ask, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_sent(1, PKT_CANCELLED).len, 0); /* a matched probe has taken it */
    claim(r, LEN);
    struct dev_pkt data = { .type = PKT_DATA, .rreq = fake_sent(1, PKT_CTS).rreq, .payload = LEN };
    assert_int_equal(fake_arrive(1, data, out, FAKE_WHOLE), 0);
    received(r, LEN, MPI_ERR_TRUNCATE);
}

static void still_arriving(void **state)
{
    struct dev_target target;

    (void) state;
    for (int early = 0; early < 2; early++) {
        assert_int_equal(fake_begin(1, fake_eager(1, 4, LEN), &target), 0);
        fake_pour(&target, out, LEN / 2);
        struct adi3_request *r = taken(1, 4);
        if (early)
            claim(r, LEN);
        fake_pour(&target, out + LEN / 2, LEN / 2);
        fake_end(&target, 0);
        if (!early)
            claim(r, LEN);
        received(r, LEN, MPI_SUCCESS);
    }
}

static void torn_off(void **state)
{
    struct dev_target target;

    (void) state;
    for (int early = 0; early < 2; early++) {
        assert_int_equal(fake_begin(1 + early, fake_eager(1 + early, 4, LEN), &target), 0);
        struct adi3_request *r = taken(1 + early, 4);
        if (early)
            claim(r, LEN);
        fake_end(&target, -ECONNRESET);
        fake_lose(1 + early);
        if (!early)
            claim(r, LEN);
        received(r, 0, MPI_ERR_OTHER);
    }
}

static void of_a_lost_peer(void **state)
{
    (void) state;
    assert_int_equal(fake_arrive(1, fake_rts(1, 4, LARGE, 9, NULL), NULL, FAKE_WHOLE), 0);
    struct adi3_request *r = taken(1, 4);
    fake_lose(1);
    claim(r, LARGE);
    received(r, 0, MPI_ERR_OTHER);
}

/* The message is never received: MPI_Finalize frees it. */
static void left_over(void **state)
{
    struct dev_target target;

    assert_int_equal(fake_setup(state), 0);
    assert_int_equal(fake_arrive(1, fake_eager(1, 4, LEN), out, FAKE_WHOLE), 0);
    (void) taken(1, 4);
    assert_int_equal(fake_begin(2, fake_eager(2, 4, LEN), &target), 0);
    struct adi3_request *r = taken(2, 4);
    probe_drop(r);
    request_free(r);
    fake_end(&target, 0);
    r = adi3_next(&adi3_requests, NULL);
    probe_drop(r);
    request_free(r);
    assert_int_equal(fake_teardown(state), 0);
}

/* ---- ready sends ----------------------------------------------------------------------------- */

static int warnings;
static void warned(const char *line)
{
    warnings += strstr(line, "rank 1") && strstr(line, "tag 4");
}

static void too_early(void **state)
{
    (void) state;
    adi3_warn = warned;
    for (int strict = 0; strict < 2; strict++) {
        check_setting = strict ? "strict" : "basic";
        assert_int_equal(check_init(), MPI_SUCCESS);
        struct dev_pkt pkt = fake_eager(1, 4, LEN);
        pkt.flags = PKT_READY;
        struct adi3_request *r = fake_irecv(in, LEN, 1, 4);
        assert_true(fake_arrive(1, pkt, out, FAKE_WHOLE) >= 0);
        received(r, LEN, MPI_SUCCESS);
        assert_int_equal(fake_arrive(1, pkt, out, FAKE_WHOLE), 0);
        received(fake_irecv(in, LEN, 1, 4), LEN, strict ? MPI_ERR_OTHER : MPI_SUCCESS);
        assert_int_equal(warnings, 1); /* and no second time */
    }
    check_setting = "basic";
    assert_int_equal(check_init(), MPI_SUCCESS);
    check_setting = "mild";
    assert_int_equal(fake_class(check_init()), MPI_ERR_OTHER);
    check_setting = "basic";
}

static void says_so(void **state)
{
    (void) state;
    assert_null(fake_isend(out, 8, 1, 4, ADI3_READY));
    assert_int_equal(fake_sent(1, PKT_EAGER).flags, PKT_READY);
    fake.again = 1;
    assert_int_equal(fake_result(fake_isend(out, 8, 1, 4, ADI3_READY), MPI_STATUS_IGNORE), 0);
    assert_int_equal(fake_sent(1, PKT_EAGER).flags, PKT_READY);
    struct adi3_request *s = fake_isend(out, LARGE, 1, 4, ADI3_READY);
    assert_int_equal(fake_sent(1, PKT_RTS).flags, PKT_READY);
    const struct dev_pkt fin = { .type = PKT_FIN, .sreq = (uint32_t) s->handle };
    assert_int_equal(fake_arrive(1, fin, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(s, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
    const struct CMUnitTest tests[] = {
        TEST(whole),          TEST(announced), TEST(still_arriving), TEST(torn_off),
        TEST(of_a_lost_peer), TEST(too_early), TEST(says_so),        cmocka_unit_test(left_over),
    };

    return UNIT_RUN(tests);
}
