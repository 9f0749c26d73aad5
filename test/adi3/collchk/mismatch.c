/* mismatch.c — collective calls are compared with the mismatch reports of other processes; reports
 * that make no sense are refused, and their text is only shown. */
#include <errno.h>
#include <string.h>
#include "fake.h"

enum { TAG = 0x10e21 }; /* of the first operation: with length 1 and type 1 */

static char in[100];
static uint8_t shows; /* what calls show of their data */

static void begin(int tag)
{
    uint32_t number = adi3_world.begun[ADI3_FORM_BLOCKING]++;
    struct adi3_call_history *calls = adi3_world.calls[0];

    if (!calls)
        calls = adi3_collchk_history(&adi3_world, ADI3_FORM_BLOCKING);
    struct adi3_call_record *call = &calls->call[number % ADI3_CALLS_KEPT];
    calls->newest = number;
    *call = (struct adi3_call_record) {
        .name = "ours", .number = number, .tag = tag, .what.shows = shows
    };
    adi3_collchk_begin(&adi3_world, call);
}

static struct dev_pkt report(int from, int type, int tag, const char *text)
{
    return (struct dev_pkt) { .type = (uint8_t) type,
                              .ctx = adi3_world.recv_ctx + ADI3_COLL,
                              .rank = from,
                              .tag = tag,
                              .payload = strlen(text) };
}

static int send(int from, struct dev_pkt pkt, const char *text)
{
    return fake_arrive(from, pkt, text, FAKE_WHOLE);
}

static struct adi3_request *receive_some(int source, int tag, size_t len)
{
    const struct adi3_data d = fake_bytes(in, len);
    MPI_Request h;

    assert_int_equal(adi3_irecv(&d, source, tag, &adi3_world, ADI3_COLL, &h), MPI_SUCCESS);
    return adi3_request_get(h);
}

static struct adi3_request *receive(int source, int tag) { return receive_some(source, tag, 3); }

/* The call has failed, and the error shows both calls. */
static void failed(struct adi3_request *r, int class, const char *theirs)
{
    int err = fake_result(r, MPI_STATUS_IGNORE);

    assert_int_equal(fake_class(err), class);
    const char *text = adi3_error_text(err);
    assert_true(text && strstr(text, "rank 0 called ours") && strstr(text, theirs));
}

static void over(void)
{
    fake_drop();
    adi3_world.begun[ADI3_FORM_BLOCKING] = 0;
    adi3_world.failed = MPI_SUCCESS;
    base_comm_ends(&adi3_world);
}

static void the_same_is_kept(void **state)
{
    (void) state;
    begin(TAG);
    struct adi3_request *r = receive(1, TAG);
    assert_int_equal(send(1, report(1, PKT_ASK, TAG, "theirs"), "theirs"), 0);
    assert_int_equal(fake_waiting(), 0);
    assert_false(fake_done(r));
    assert_int_equal(send(2, report(2, PKT_ASK, TAG ^ 3, "theirs"), "theirs"), 0);
    failed(r, MPI_ERR_TYPE, "rank 2 called theirs");
    (void) fake_sent(2, PKT_DIFFERS);                               /* what ours is, ... */
    assert_int_equal(fake_sent(1, PKT_DIFFERS).rreq, MPI_ERR_TYPE); /* ... and that it failed */
    over();
}

static void asked_before(void **state)
{
    (void) state;
    assert_int_equal(send(1, report(1, PKT_ASK, TAG ^ 0x60, "theirs"), "theirs"), 0);
    assert_int_equal(fake_waiting(), 0);
    begin(TAG);
    (void) fake_sent(1, PKT_DIFFERS);
    failed(receive(1, TAG), MPI_ERR_TRUNCATE, "rank 1 called theirs");
    over();
}

static void answered(void **state)
{
    (void) state;
    begin(TAG);
    struct adi3_request *r = receive(1, TAG);
    assert_int_equal(send(1, report(1, PKT_DIFFERS, TAG, "no difference"), "no difference"), 0);
    assert_false(fake_done(r));
    assert_int_equal(send(1, report(1, PKT_DIFFERS, TAG ^ 0x1000, "th\n\033s"), "th\n\033s"), 0);
    failed(r, MPI_ERR_OTHER, "rank 1 called th??s");
    over();
}

/* The sender of a message that differs is asked. A message that agrees is taken, also when one of
 * both signatures does not say all. */
static void messages(void **state)
{
    (void) state;
    struct dev_pkt p = fake_eager(1, TAG & ~0x1f, 3);
    p.ctx += ADI3_COLL;
    begin(TAG);
    struct adi3_request *r = receive(1, TAG);
    assert_true(fake_arrive(1, p, "abc", FAKE_WHOLE) >= 0);
    assert_int_equal(fake_result(r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_memory_equal(in, "abc", 3);
    r = receive(2, TAG);
    p.rank = 2;
    p.tag = TAG ^ 2;
    assert_int_equal(fake_arrive(2, p, "xyz", FAKE_WHOLE), 0);
    assert_int_equal(fake_sent(2, PKT_ASK).tag, TAG);
    assert_false(fake_done(r));
    assert_memory_equal(in, "abc", 3);
    assert_int_equal(send(2, report(2, PKT_DIFFERS, TAG ^ 2, "theirs"), "theirs"), 0);
    failed(r, MPI_ERR_TYPE, "rank 2 called theirs");
    assert_int_equal(adi3_world.queue[1]->nunexpected, 0);
    over();
}

/* Another length, which the signature does not show. A message that is too short ends the call
 * in all processes. A block that is too long, in an operation whose description shows no data,
 * is an error only here, as the blocks for other processes may be right. */
static void lengths(void **state)
{
    const size_t lens[] = { 2, 4 };

    (void) state;
    for (int before = 0; before < 2; before++)
        for (int i = 0; i < 4; i++) {
            shows = i < 2 ? ADI3_SHOWS_DATA : ADI3_SHOWS_NOTHING;
            struct dev_pkt p = fake_eager(1, TAG, 3);
            p.ctx += ADI3_COLL;
            if (before)
                assert_true(fake_arrive(1, p, "abc", FAKE_WHOLE) >= 0);
            begin(TAG);
            struct adi3_request *r = receive_some(1, TAG, lens[i % 2]);
            if (!before)
                assert_true(fake_arrive(1, p, "abc", FAKE_WHOLE) >= 0);
            failed(r, MPI_ERR_TRUNCATE, "rank 1 called the same with data of another length");
            if (shows || lens[i % 2] > 3)
                assert_int_equal(fake_sent(1, PKT_DIFFERS).rreq, MPI_ERR_TRUNCATE);
            over();
        }
}

/* Reports show differences that a signature does not. */
static void lengths_told(void **state)
{
    struct dev_pkt p = report(1, PKT_ASK, TAG, "theirs");

    (void) state;
    begin(TAG);
    struct adi3_request *r = receive(1, TAG);
    p.addr = 15;
    assert_int_equal(send(1, p, "theirs"), 0);
    failed(r, MPI_ERR_TRUNCATE, "rank 1 called theirs");
    over();
}

/* A call that has failed sends nothing more, since its data is incomplete. */
static void nothing_more(void **state)
{
    const struct adi3_data d = fake_bytes(in, 3);
    MPI_Request h;

    (void) state;
    begin(TAG);
    struct adi3_request *r = receive(1, TAG);
    assert_int_equal(send(1, report(1, PKT_DIFFERS, TAG ^ 2, "theirs"), "theirs"), 0);
    failed(r, MPI_ERR_TYPE, "rank 1 called theirs");
    fake_drop();
    assert_int_equal(fake_class(adi3_isend(&d, 1, TAG, &adi3_world, ADI3_COLL, &h)), MPI_ERR_TYPE);
    assert_int_equal(fake_waiting(), 0);
    over();
}

/* Likewise of those that came before the call. */
static void messages_before(void **state)
{
    (void) state;
    struct dev_pkt p = fake_eager(1, TAG & ~0x1f, 3);
    p.ctx += ADI3_COLL;
    assert_int_equal(fake_arrive(1, p, "abc", FAKE_WHOLE), 0);
    p.rank = 2;
    p.tag = TAG ^ 0x800;
    assert_int_equal(fake_arrive(2, p, "xyz", FAKE_WHOLE), 0);
    begin(TAG);
    assert_int_equal(fake_sent(2, PKT_ASK).tag, TAG);
    assert_int_equal(fake_result(receive(1, TAG), MPI_STATUS_IGNORE), MPI_SUCCESS);
    struct adi3_request *r = receive(2, TAG);
    assert_int_equal(fake_waiting(), 0); /* a sender is asked once */
    assert_int_equal(send(2, report(2, PKT_DIFFERS, TAG ^ 0x800, "theirs"), "theirs"), 0);
    failed(r, MPI_ERR_OTHER, "rank 2 called theirs");
    over();
}

/* A send whose receiver does not ask for it is cancelled. */
static void announced(void **state)
{
    static const char out[50000];
    const struct adi3_data d = fake_bytes(out, sizeof out);
    MPI_Request h;

    (void) state;
    begin(TAG);
    assert_int_equal(adi3_isend(&d, 1, TAG, &adi3_world, ADI3_COLL, &h), MPI_SUCCESS);
    struct adi3_request *s = adi3_request_get(h);
    uint32_t sreq = fake_sent(1, PKT_RTS).sreq;
    assert_int_equal(send(1, report(1, PKT_DIFFERS, TAG ^ 0x200, "theirs"), "theirs"), 0);
    assert_int_equal(fake_sent(1, PKT_CANCEL).sreq, sreq);
    const struct dev_pkt taken = { .type = PKT_CANCELLED, .len = 1, .sreq = sreq };
    fake_drop();
    assert_int_equal(fake_arrive(1, taken, NULL, FAKE_WHOLE), 0);
    failed(s, MPI_ERR_OTHER, "rank 1 called theirs");
    over();
}

static void nonsense(void **state)
{
    char text[1000];
    struct dev_target target;

    (void) state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    begin(TAG);
    for (int type = PKT_ASK; type <= PKT_DIFFERS; type++)
        for (int i = 0; i < 5; i++) {
            struct dev_pkt p = report(1, type, TAG, "x");
            switch (i) {
            case 0:
                p.rank = 2;
                break;
            case 1:
                p.rank = -1;
                break;
            case 2:
                p.tag = -1;
                break;
            case 3:
                p.ctx--;
                break;
            default:
                p.payload = 999;
                break;
            }
            assert_int_equal(send(1, p, text), -EPROTO);
            assert_int_equal(fake_begin(1, p, &target), -EPROTO);
        }
    struct dev_pkt p = report(1, PKT_ASK, TAG, "x");
    p.ctx += 1000; /* no communicator of ours: perhaps one that was freed */
    assert_int_equal(send(1, p, text), 0);
    over();
}

static void torn(void **state)
{
    struct dev_target target;

    (void) state;
    begin(TAG);
    struct adi3_request *r = receive(1, TAG);
    assert_int_equal(fake_begin(1, report(1, PKT_DIFFERS, TAG ^ 2, "theirs"), &target), 0);
    fake_pour(&target, "th", 2);
    fake_end(&target, -ECONNRESET);
    assert_false(fake_done(r));
    assert_int_equal(fake_arrive(1, report(1, PKT_DIFFERS, TAG ^ 2, "theirs"), "theirs", 3), 0);
    failed(r, MPI_ERR_TYPE, "rank 1 called theirs");
    over();
}

/* ---- the end --------------------------------------------------------------------------------- */

static int warnings, polls;

static void count_warning(const char *line)
{
    assert_non_null(strstr(line, "rank 0 called nothing, while rank 1 called theirs"));
    warnings++;
}

static bool count_poll(void)
{
    polls++;
    return true;
}

/* Of a call that we have not made. */
static void last_call_of(int rank, uint32_t ctx)
{
    struct dev_pkt p = report(rank, PKT_LAST, TAG, "theirs");

    p.ctx = ctx + ADI3_COLL;
    p.len = 1;
    assert_int_equal(send(rank, p, "theirs"), 0);
}

/* The last calls on our communicator, which is none of one job and group now, are not compared:
 * while it is there, and when it was freed. */
static void not_compared(uint64_t sum)
{
    struct adi3_comm *c = &adi3_world;
    const uint32_t ctx = c->recv_ctx;
    bool known;

    begin(TAG);
    assert_int_equal(last_calls_sum(&known), sum);
    assert_true(known);
    last_call_of(1, ctx);
    c->recv_ctx += 1000;
    over();
    last_call_of(1, c->recv_ctx);
    c->recv_ctx = ctx;
    assert_int_equal(last_calls_sum(&known), sum);
    assert_false(last_calls_compare());
    assert_int_equal(polls, 0); /* it waits for nobody */
    assert_int_equal(warnings, 0);
}

/* MPI_Finalize compares the calls of one job and group alone: other jobs do not end with ours, and
 * the arguments of two groups differ. This is the first test, as MPI_Finalize ends the keeping of
 * communicators that were freed. */
static void only_of_one_job_and_group(void **state)
{
    struct adi3_comm *c = &adi3_world;
    bool known;

    (void) state;
    fake.poll = count_poll;
    adi3_warn = count_warning;
    const uint64_t compared = last_calls_sum(&known);
    c->block = (struct context_block *) (void *) in;
    const uint64_t others = last_calls_sum(&known);
    assert_true(compared != others);
    not_compared(others);
    c->block = NULL;
    c->remote = c->group;
    not_compared(others);
    c->remote = NULL;
    c->rank = 1; /* rank 0 alone compares */
    last_call_of(2, c->recv_ctx);
    c->rank = 0;
    assert_int_equal(warnings, 0);
    last_call_of(1, c->recv_ctx);
    assert_int_equal(warnings, 1);
    adi3_warn = NULL;
    fake_reset();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_of_one_job_and_group),
        TEST(the_same_is_kept),
        TEST(asked_before),
        TEST(answered),
        TEST(messages),
        TEST(lengths),
        TEST(lengths_told),
        TEST(nothing_more),
        TEST(messages_before),
        TEST(announced),
        TEST(nonsense),
        TEST(torn),
    };

    return UNIT_RUN(tests);
}
