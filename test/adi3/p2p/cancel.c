/* cancel.c — a send is cancelled by two packets, of which the answer may come before or after all
 * other packets; credit is right afterwards, and packets that make no sense are refused.
 * Protects P23. */
#include <errno.h>
#include <string.h>
#include "fake.h"

enum { LARGE = 50000, SMALL = 100 };

static char out[LARGE], in[LARGE];

static bool was_cancelled(struct adi3_request *r)
{
    MPI_Status s;

    assert_int_equal(fake_result(r, &s), MPI_SUCCESS);
    return s.count_hi_and_cancelled & 1;
}

/* ---- our sends ------------------------------------------------------------------------------- */

static struct dev_pkt asks(struct adi3_request *s)
{
    assert_int_equal(adi3_cancel(s), MPI_SUCCESS);
    struct dev_pkt ask = fake_sent(1, PKT_CANCEL);
    assert_int_equal(ask.sreq, (uint32_t) s->handle);
    assert_false(fake_done(s));
    return ask;
}

static int answer(int from, struct adi3_request *s, uint64_t len)
{
    const struct dev_pkt pkt = { .type = PKT_CANCELLED, .sreq = (uint32_t) s->handle, .len = len };

    return fake_arrive(from, pkt, NULL, FAKE_WHOLE);
}

static int reply(struct adi3_request *s, enum adi3_pkt_type type)
{
    const struct dev_pkt pkt = { .type = (uint8_t) type, .sreq = (uint32_t) s->handle, .len = 0 };

    return fake_arrive(1, pkt, NULL, FAKE_WHOLE);
}

static void announced_or_synchronous(void **state)
{
    (void) state;
    for (int sync = 0; sync < 2; sync++) {
        struct adi3_request *s = fake_isend(out, sync ? SMALL : LARGE, 1, 7, sync * ADI3_SYNC);
        struct dev_pkt sent = fake_sent(1, sync ? PKT_EAGER : PKT_RTS), ask = asks(s);
        assert_true(ask.sreq == sent.sreq && ask.ctx == sent.ctx);
        assert_int_equal(answer(1, s, 1), 0);
        assert_true(was_cancelled(s));
    }
}

/* The receiver has taken the message: its answer and its CTS or FIN come in any order. */
static void too_late(void **state)
{
    (void) state;
    for (int first = 0; first < 2; first++) {
        struct adi3_request *s = fake_isend(out, LARGE, 1, 7, ADI3_STANDARD);
        (void) fake_sent(1, PKT_RTS);
        (void) asks(s);
        assert_int_equal(first ? answer(1, s, 0) : reply(s, PKT_CTS), 0);
        assert_false(fake_done(s));
        assert_int_equal(first ? reply(s, PKT_CTS) : answer(1, s, 0), 0);
        (void) fake_sent(1, PKT_DATA);
        assert_false(was_cancelled(s));
    }
    struct adi3_request *s = fake_isend(out, SMALL, 1, 7, ADI3_SYNC);
    (void) fake_sent(1, PKT_EAGER);
    (void) asks(s);
    assert_int_equal(reply(s, PKT_FIN), 0);
    assert_false(fake_done(s));
    assert_int_equal(answer(1, s, 0), 0);
    assert_false(was_cancelled(s));
}

static void its_data_with_the_device(void **state)
{
    (void) state;
    fake.holds = true;
    struct adi3_request *s = fake_isend(out, SMALL, 1, 7, ADI3_SYNC);
    assert_int_equal(adi3_cancel(s), MPI_SUCCESS);
    assert_int_equal(answer(1, s, 1), 0);
    assert_false(fake_done(s));
    fake_finish(0);
    assert_true(was_cancelled(s));
    fake_drop();
}

static void asked_once(void **state)
{
    (void) state;
    struct adi3_request *s = fake_isend(out, LARGE, 1, 7, ADI3_STANDARD);
    (void) fake_sent(1, PKT_RTS);
    (void) asks(s);
    assert_int_equal(adi3_cancel(s), MPI_SUCCESS);
    assert_int_equal(fake_waiting(), 0);
    assert_int_equal(answer(1, s, 1), 0);
    assert_true(was_cancelled(s));
    assert_null(fake_isend(out, SMALL, 1, 7, ADI3_STANDARD)); /* it has left: nothing to cancel */
    fake_drop();
}

static void answers_that_make_no_sense(void **state)
{
    (void) state;
    struct adi3_request *s = fake_isend(out, LARGE, 1, 7, ADI3_STANDARD);
    (void) fake_sent(1, PKT_RTS);
    assert_int_equal(answer(1, s, 0), -EPROTO); /* no cancel was asked for */
    (void) asks(s);
    assert_int_equal(answer(2, s, 1), -EPROTO);
    assert_int_equal(answer(1, s, 2), -EPROTO);
    assert_int_equal(reply(s, PKT_CTS), 0);
    (void) fake_sent(1, PKT_DATA);
    assert_int_equal(answer(1, s, 1), -EPROTO); /* the receiver had taken the message */
    assert_int_equal(answer(1, s, 0), 0);
    assert_int_equal(answer(1, s, 0), -EPROTO);
    assert_false(was_cancelled(s));
    struct dev_pkt stale = { .type = PKT_CANCELLED, .sreq = 0xac000000 | 0xfffff };
    assert_int_equal(fake_arrive(1, stale, NULL, FAKE_WHOLE), -EPROTO);
}

/* The peer has not answered yet when it is lost. */
static void lost_meanwhile(void **state)
{
    (void) state;
    struct adi3_request *s[3];
    for (int i = 0; i < 3; i++)
        s[i] = fake_isend(out, i == 2 ? SMALL : LARGE, 1, i, i == 2 ? ADI3_SYNC : ADI3_STANDARD);
    fake_drop();
    for (int i = 0; i < 3; i++)
        (void) asks(s[i]);
    assert_int_equal(reply(s[1], PKT_CTS), 0);
    fake_drop();
    fake_lose(1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fake_class(fake_result(s[i], MPI_STATUS_IGNORE)), MPI_ERR_OTHER);
}

/* ---- their sends ----------------------------------------------------------------------------- */

static bool taken_back(uint32_t sreq)
{
    const struct dev_pkt ask = { .type = PKT_CANCEL, .ctx = adi3_world.recv_ctx, .sreq = sreq };

    assert_int_equal(fake_arrive(1, ask, NULL, FAKE_WHOLE), 0);
    struct dev_pkt said = fake_sent(1, PKT_CANCELLED);
    assert_int_equal(said.sreq, sreq);
    return said.len == 1;
}

static void of_a_peer(void **state)
{
    (void) state;
    struct adi3_proc *p = &adi3_procs[1];
    struct dev_pkt eager = fake_eager(1, 3, SMALL);
    size_t pending_credit = p->pending_credit;
    eager.sreq = 77;
    assert_int_equal(fake_arrive(1, fake_rts(1, 3, LARGE, 76, out), NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_arrive(1, eager, out, FAKE_WHOLE), 0);
    assert_true(taken_back(77));
    assert_true(p->pending_credit == pending_credit + (size_t) proto_cost(SMALL));
    assert_false(taken_back(77));
    assert_true(taken_back(76));
    assert_true(p->pending_credit == pending_credit + (size_t) proto_cost(SMALL));
    assert_int_equal(adi3_world.queue[0]->nunexpected, 0);
    assert_false(taken_back(5)); /* matched long ago */
    struct dev_pkt nothing = { .type = PKT_CANCEL, .ctx = adi3_world.recv_ctx };
    assert_int_equal(fake_arrive(1, nothing, NULL, FAKE_WHOLE), -EPROTO);
    nothing.sreq = 5;
    nothing.ctx = 0x7fff0000; /* there is no such communicator */
    assert_int_equal(fake_arrive(1, nothing, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_sent(1, PKT_CANCELLED).len, 0);
}

static void not_of_another(void **state)
{
    (void) state;
    assert_int_equal(fake_arrive(2, fake_rts(2, 3, LARGE, 76, NULL), NULL, FAKE_WHOLE), 0);
    assert_false(taken_back(76));
    struct adi3_request *r = fake_irecv(in, LARGE, 2, 3);
    struct dev_pkt data = { .type = PKT_DATA, .rreq = fake_sent(2, PKT_CTS).rreq };
    assert_int_equal(fake_arrive(2, data, NULL, FAKE_WHOLE), 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* ---- receives -------------------------------------------------------------------------------- */

static void receives(void **state)
{
    (void) state;
    struct adi3_request *r = fake_irecv(in, SMALL, MPI_ANY_SOURCE, 3), *next;
    in[0] = 'x';
    assert_int_equal(adi3_cancel(r), MPI_SUCCESS);
    next = fake_irecv(in + 1, SMALL, 1, 3);
    assert_true(fake_arrive(1, fake_plain(fake_eager(1, 3, 1)), "y", FAKE_WHOLE) >= 0);
    assert_true(was_cancelled(r));
    assert_true(in[0] == 'x' && in[1] == 'y');
    assert_int_equal(adi3_cancel(next), MPI_SUCCESS); /* it is done */
    assert_false(was_cancelled(next));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
    const struct CMUnitTest tests[] = {
        TEST(announced_or_synchronous),
        TEST(too_late),
        TEST(its_data_with_the_device),
        TEST(asked_once),
        TEST(lost_meanwhile),
        TEST(answers_that_make_no_sense),
        TEST(of_a_peer),
        TEST(not_of_another),
        TEST(receives),
    };

    return UNIT_RUN(tests);
}
