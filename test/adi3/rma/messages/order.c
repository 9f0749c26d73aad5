/* order.c — what one-sided operations by messages wait for, and what waits for them: types,
 * flushes of several targets, room, the end of a window. */
#include <stdlib.h>
#include <string.h>
#include "rma/rma_loop.h"

enum { TYPES = WIRE_TYPES + 1, BLOCKS = 700 };

static int out[LOOP_BYTES / 4];

static void fill(void)
{
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        out[i] = 1000 + (int) i;
}

static struct adi3_data ints(size_t count)
{
    return (struct adi3_data) { out, count, adi3_type_builtin(MPI_INT) };
}

static int at(MPI_Aint disp)
{
    int x;

    memcpy(&x, loop_memory + LOOP_UNIT * disp, sizeof x);
    return x;
}

static struct adi3_type *two_apart(int stride)
{
    struct adi3_type *v;

    assert_int_equal(
        adi3_type_hvector(2, 1, stride * (MPI_Aint) sizeof(int), adi3_type_builtin(MPI_INT), &v),
        MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(v), MPI_SUCCESS);
    return v;
}

/* A put of `count` elements of a type, of ints. */
static struct adi3_rma put_of(struct adi3_type *t, size_t count, MPI_Aint disp)
{
    struct adi3_rma x = loop_op(ADI3_PUT, disp, ints(count * t->size / sizeof(int)));

    x.type = t;
    x.count = count;
    return x;
}

/* ---- types ----------------------------------------------------------------------------------- */

static struct fake_packet *taken(void)
{
    piggyback_send();
    struct fake_packet *p = fake_take();
    p->pkt.rank = 1;
    return p;
}

/* The number of a type is given anew while the payload of an operation of that type arrives. */
static void type_is_replaced_behind_a_payload(void **state)
{
    struct adi3_type *t[TYPES];
    struct dev_target target;

    (void) state;
    fill();
    for (int i = 0; i < TYPES; i++)
        t[i] = two_apart(i + 2);
    struct adi3_rma x = put_of(t[0], 1000, 30000);
    (void) loop_send(&x, false);
    struct fake_packet *p = taken(), *q = taken();
    assert_int_equal(fake_arrive(1, p->pkt, p->payload, FAKE_WHOLE), 0);
    assert_int_equal(fake_begin(1, q->pkt, &target), 0);
    for (int i = 1; i < TYPES; i++) {
        x = put_of(t[i], 1, 300 * i);
        (void) loop_send(&x, false);
    }
    (void) loop_pump();
    fake_pour(&target, q->payload, q->pkt.payload);
    fake_end(&target, 0);
    free(p);
    free(q);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    for (int i = 1; i < TYPES; i++) {
        assert_int_equal(at(300 * i), 1000);
        assert_int_equal(at(300 * i + i + 2), 1001);
    }
    assert_int_equal(at(30000 + 999 * 3 + 2), 1000 + 1999);
    for (int i = 0; i < TYPES; i++)
        adi3_type_release(t[i]);
}

static struct fake_packet *late; /* a type of which only the begin has come */
static struct dev_target late_target;

/* The payload of a type comes one poll after all else. */
static bool late_type(void)
{
    if (late) {
        fake_pour(&late_target, late->payload, late->pkt.payload);
        fake_end(&late_target, 0);
        free(late);
        late = NULL;
        return loop_pump();
    }
    fake_finish(0);
    for (int left = fake_waiting(); left > 0; left--) {
        struct fake_packet *p = taken();
        if (p->pkt.type == PKT_RMA_TYPE && !late) {
            late = p;
            assert_int_equal(fake_begin(1, p->pkt, &late_target), 0);
            continue;
        }
        loop.refused += fake_arrive(1, p->pkt, p->payload, FAKE_WHOLE) < 0;
        free(p);
    }
    return true;
}

static void long_type_is_waited_for(void **state)
{
    int ints_of[BLOCKS + 2] = { BLOCKS, 1, 7 };
    struct adi3_type *t, *of = adi3_type_builtin(MPI_INT);

    (void) state;
    fill();
    for (int i = 3; i < BLOCKS + 2; i++)
        ints_of[i] = ints_of[i - 1] + 1 + (int) unit_random(60);
    assert_int_equal(
        adi3_type_make(&(struct adi3_contents) { .combiner = MPI_COMBINER_INDEXED_BLOCK,
                                                 .nints = BLOCKS + 2,
                                                 .ints = ints_of,
                                                 .ntypes = 1,
                                                 .types = &of },
                       &t),
        MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    fake.poll = late_type;
    struct adi3_rma x = put_of(t, 1, 0);
    (void) loop_send(&x, false);
    assert_null(late);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(at(ints_of[i + 2]), 1000 + i);
    adi3_type_release(t);
}

/* ---- flushes --------------------------------------------------------------------------------- */

static int most; /* packets on their way at once */

static bool count_and_pump(void)
{
    int n = fake_waiting();

    most = n > most ? n : most;
    return loop_pump();
}

/* All targets are asked before the answer of any is waited for. */
static void asks_all_first(int (*flush)(void))
{
    struct rma_target *other = rma_target(loop.w, 2);
    struct adi3_rma x = loop_op(ADI3_PUT, 0, ints(1));

    (void) loop_send(&x, false);
    assert_int_equal(rma_send(loop.w, other, &x, NULL), MPI_SUCCESS);
    (void) loop_pump();
    most = 0;
    fake.poll = count_and_pump;
    assert_int_equal(flush(), MPI_SUCCESS);
    fake.poll = loop_pump;
    assert_int_equal(most, 2);
    assert_true(loop.t->answered == loop.t->asked && other->answered == other->asked);
    assert_true(!loop.t->unflushed && !other->unflushed);
}

static int flush_all(void) { return adi3_win_flush(loop.w, -1, false); }

static int unlock_all(void) { return adi3_win_unlock(loop.w, -1); }

static int fence(void) { return adi3_win_fence_begin(loop.w); }

static void targets_are_asked_together(void **state)
{
    (void) state;
    assert_int_equal(adi3_win_lock(loop.w, MPI_LOCK_SHARED, -1, MPI_MODE_NOCHECK), MPI_SUCCESS);
    loop.t->quick.access = rma_target(loop.w, 2)->quick.access = RMA_NOCHECK;
    asks_all_first(flush_all);
    asks_all_first(unlock_all);
    asks_all_first(fence);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void packets_are(int operations, int data, int syncs)
{
    assert_int_equal(loop.sent[PKT_RMA], operations);
    assert_int_equal(loop.sent[PKT_RMA_DATA], data);
    assert_int_equal(loop.sent[PKT_RMA_SYNC], syncs);
    memset(loop.sent, 0, sizeof loop.sent);
}

/* A small operation and what is behind it are one packet and one answer; to fetch needs no more
 * than the data. */
static void few_packets(void **state)
{
    struct adi3_rma put = loop_op(ADI3_PUT, 3, ints(1)), get = loop_op(ADI3_GET, 3, ints(1));
    struct adi3_rma sum = loop_op(ADI3_ACCUMULATE, 3, ints(1));

    (void) state;
    sum.op = adi3_op_builtin(MPI_SUM);
    (void) loop_send(&put, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    packets_are(1, 0, 1);
    (void) loop_send(&get, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    packets_are(1, 1, 0);
    for (int i = 0; i < 10; i++)
        (void) loop_send(i % 2 ? &put : &sum, false);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    packets_are(10, 0, 1);
    assert_int_equal(adi3_win_lock(loop.w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    (void) loop_send(&put, false);
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    packets_are(1, 0, 1);
    assert_int_equal(adi3_win_lock(loop.w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    (void) loop_send(&get, false);
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    packets_are(1, 1, 2); /* one round trip */
    assert_int_equal(adi3_win_lock(loop.w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        (void) loop_send(&put, false);
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    packets_are(3, 0, 2); /* the lock before the second one */
}

/* What waits for a sync packet is sent by the next poll. */
static void held_until_poll(void **state)
{
    struct adi3_rma put = loop_op(ADI3_PUT, 3, ints(1));

    (void) state;
    fake.poll = NULL;
    for (int again = 0; again < 2; again++) {
        (void) loop_send(&put, false);
        assert_int_equal(fake_waiting(), 0);
        assert_true(rma_is_busy(loop.w));
        fake.again = again;
        adi3_poll();
        assert_int_equal(fake_waiting(), 1);
        assert_true(!rma_is_busy(loop.w));
        (void) loop_pump();
    }
    fake.poll = loop_pump;
    assert_int_equal(loop_flush(), MPI_SUCCESS);
}

/* While an operation waits for room another thread may have begun one that is held. */
static void held_of_two_threads(void **state)
{
    struct adi3_data d[2] = { ints(1), ints(1) };
    struct adi3_rma x = loop_op(ADI3_PUT, 3, d[0]);

    (void) state;
    fake.poll = NULL;
    (void) loop_send(&x, false);
    piggyback_send();
    struct fake_packet *p = fake_take();
    piggyback_keep(loop.w, loop.t, &p->pkt, &d[0], 0);
    piggyback_keep(loop.w, loop.t, &p->pkt, &d[1], 0);
    assert_int_equal(fake_waiting(), 1);
    free(p);
    fake.poll = loop_pump;
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    packets_are(2, 0, 1);
}

/* An error that a request has told is not told again by a flush. */
static void error_of_a_request(void **state)
{
    struct adi3_rma x = loop_op(ADI3_GET, -5, ints(1));

    (void) state;
    struct adi3_request *r = adi3_request_get(loop_send(&x, true));
    (void) loop_pump();
    assert_int_equal(fake_class(fake_result(r, MPI_STATUS_IGNORE)), MPI_ERR_RMA_RANGE);
    assert_int_equal(loop_flush(), MPI_SUCCESS);
}

/* ---- room, the end --------------------------------------------------------------------------- */

static void few_parts_are_under_way(void **state)
{
    struct adi3_rma x = loop_op(ADI3_GET_ACCUMULATE, 0, ints(1));
    static int got[1000];
    unsigned parts = 0;

    (void) state;
    fill();
    x.op = adi3_op_builtin(MPI_REPLACE);
    for (int i = 0; i < 1000; i++) {
        x.disp = i;
        x.result = (struct adi3_data) { &got[i], 1, x.type };
        (void) loop_send(&x, false);
        parts = loop.t->pending > parts ? loop.t->pending : parts;
    }
    assert_int_equal(loop_flush(), MPI_SUCCESS);
    assert_int_equal(parts, 64);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(at(i), 1000);
}

/* A window ends when no device uses it any more. */
static void free_waits_for_parts(void **state)
{
    struct adi3_rma x = loop_op(ADI3_PUT, 0, ints(2000));

    (void) state;
    fill();
    fake.holds = true;
    (void) loop_send(&x, false);
    assert_true(rma_is_busy(loop.w));
    adi3_win_free(loop.w);
    assert_int_equal(fake_waiting(), 0);
    assert_int_equal(at(0), 1000);
    loop_window(MPI_WIN_FLAVOR_CREATE, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, loop_setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(type_is_replaced_behind_a_payload),
        TEST(long_type_is_waited_for),
        TEST(targets_are_asked_together),
        TEST(error_of_a_request),
        TEST(few_packets),
        TEST(held_until_poll),
        TEST(held_of_two_threads),
        TEST(few_parts_are_under_way),
        TEST(free_waits_for_parts),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
