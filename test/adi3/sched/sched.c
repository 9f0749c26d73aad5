/* sched.c — schedules: what begins when, what an error does to the rest, and how they end (C03).
 *
 * We are process 0; processes 1 and 2 are played by the test. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { TAG = ADI3_TAG_INIT + 5, LEN = 8 };

static char in[3][LEN], out[LEN] = "outside", word[LEN] = "a word.";
static int called, seen; /* how often a step was called, and with which class of error */

void *__real_malloc(size_t len);
void *__real_realloc(void *p, size_t len);
void *__wrap_malloc(size_t len);
void *__wrap_realloc(void *p, size_t len);
static bool out_of_memory;

void *__wrap_malloc(size_t len) { return out_of_memory ? NULL : __real_malloc(len); }

void *__wrap_realloc(void *p, size_t len) { return out_of_memory ? NULL : __real_realloc(p, len); }

static int note(void *arg, int err)
{
    called++;
    seen = fake_class(err);
    return arg ? *(int *) arg : MPI_SUCCESS;
}

static struct adi3_sched *begin(void)
{
    called = 0;
    seen = -1;
    memset(in, '#', sizeof in);
    return adi3_sched_new(TAG);
}

static struct adi3_request *start(struct adi3_sched *s)
{
    MPI_Request h = MPI_REQUEST_NULL;

    assert_int_equal(adi3_sched_start(s, &adi3_world, &h), MPI_SUCCESS);
    return adi3_request_get(h);
}

/* A message of the schedule from a process that the test plays. */
static void comes(int from, int tag)
{
    struct dev_pkt pkt = fake_eager(from, tag, LEN);

    pkt.ctx = adi3_world.recv_ctx + ADI3_COLL;
    assert_true(fake_arrive(from, pkt, word, FAKE_WHOLE) >= 0);
}

/* The next that was sent belongs to the schedule. */
static void gone(int to)
{
    struct fake_packet *p = fake_take();

    assert_int_equal(p->to, to);
    assert_int_equal(p->pkt.tag, TAG);
    assert_int_equal(p->pkt.ctx, adi3_world.send_ctx + ADI3_COLL);
    free(p);
}

static void recv_from(struct adi3_sched *s, int from)
{
    adi3_sched_recv(s, &adi3_world, fake_bytes(in[from], LEN), from);
}

static void send_to(struct adi3_sched *s, int to)
{
    adi3_sched_send(s, &adi3_world, fake_bytes(out, LEN), to);
}

static int result(struct adi3_request *r)
{
    MPI_Status st;
    int err = fake_result(r, &st);

    assert_int_equal(st.MPI_SOURCE, MPI_ANY_SOURCE);
    assert_int_equal(st.MPI_TAG, MPI_ANY_TAG);
    assert_int_equal(st.count_lo, 0);
    return fake_class(err);
}

/* ---- steps and fences ------------------------------------------------------------------------ */

static void of_nothing(void **state)
{
    (void) state;
    assert_int_equal(result(start(begin())), MPI_SUCCESS);
    struct adi3_sched *s = begin();
    adi3_sched_fence(s);
    adi3_sched_fence(s);
    assert_int_equal(result(start(s)), MPI_SUCCESS);
    adi3_sched_free(NULL);
}

static void together_between_fences(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    recv_from(s, 1);
    send_to(s, 2);
    recv_from(s, 2);
    adi3_sched_fence(s);
    send_to(s, 1);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    gone(2);
    comes(2, TAG);
    adi3_poll();
    assert_true(fake_waiting() == 0 && !called && !fake_done(r));
    comes(1, TAG + 1); /* of another operation */
    adi3_poll();
    assert_true(fake_waiting() == 0 && !called);
    comes(1, TAG);
    adi3_poll();
    gone(1);
    assert_true(called == 1 && seen == MPI_SUCCESS);
    assert_int_equal(result(r), MPI_SUCCESS);
    assert_memory_equal(in[1], word, LEN);
    assert_memory_equal(in[2], word, LEN);
}

/* A schedule does not wait for messages that have come, or are sent at once. */
static void all_at_the_start(void **state)
{
    (void) state;
    comes(1, TAG);
    comes(2, TAG);
    struct adi3_sched *s = begin();
    for (int i = 0; i < 20; i++) { /* more steps than there is room for at first */
        send_to(s, 1);
        adi3_sched_fence(s);
    }
    recv_from(s, 1);
    adi3_sched_fence(s);
    recv_from(s, 2);
    adi3_sched_fence(s);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    assert_true(fake_done(r) && called == 1);
    for (int i = 0; i < 20; i++)
        gone(1);
    while (fake_waiting())
        fake_drop();
    assert_int_equal(result(r), MPI_SUCCESS);
}

/* A send is done when its device says so. */
static void a_send_that_takes_long(void **state)
{
    (void) state;
    fake.holds = true;
    fake.again = -1;
    struct adi3_sched *s = begin();
    send_to(s, 1);
    adi3_sched_fence(s);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    adi3_poll();
    assert_false(called || fake_done(r));
    fake_finish(0);
    adi3_poll();
    assert_int_equal(called, 1);
    assert_int_equal(result(r), MPI_SUCCESS);
    fake_drop();
}

/* Memory of the schedule lives as long as its request. */
static void memory(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    char *kept = adi3_sched_bytes(s, LEN), *more = adi3_sched_bytes(s, 100000);
    assert_true((uintptr_t) kept % 16 == 0 && (uintptr_t) more % 16 == 0);
    adi3_sched_recv(s, &adi3_world, fake_bytes(kept, LEN), 1);
    struct adi3_request *r = start(s);
    comes(1, TAG);
    adi3_poll();
    assert_true(fake_done(r));
    assert_memory_equal(kept, word, LEN);
    assert_int_equal(result(r), MPI_SUCCESS);
}

static void several_at_once(void **state)
{
    enum { SEVERAL = 4 };
    struct adi3_request *r[SEVERAL];

    (void) state;
    for (int i = 0; i < SEVERAL; i++) {
        struct adi3_sched *s = adi3_sched_new(TAG + i);
        recv_from(s, 1);
        adi3_sched_fence(s);
        recv_from(s, 2);
        r[i] = start(s);
    }
    for (int i = 0; i < SEVERAL; i++)
        comes(1, TAG + i);
    for (int i = SEVERAL; i-- > 0;) {
        assert_false(fake_done(r[i]));
        adi3_poll();
        comes(2, TAG + i);
        adi3_poll();
        assert_int_equal(result(r[i]), MPI_SUCCESS);
    }
}

/* A step may begin another schedule, and wait for it. */
static int nested(void *arg, int err)
{
    struct adi3_sched *s = adi3_sched_new(TAG + 1);

    (void) arg;
    (void) err;
    recv_from(s, 2);
    struct adi3_request *r = start(s);
    comes(2, TAG + 1);
    adi3_poll();
    assert_int_equal(result(r), MPI_SUCCESS);
    return note(NULL, MPI_SUCCESS);
}

static void one_within_another(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    recv_from(s, 1);
    adi3_sched_fence(s);
    adi3_sched_call(s, nested, NULL);
    struct adi3_request *r = start(s);
    comes(1, TAG);
    adi3_poll();
    assert_int_equal(called, 1);
    assert_int_equal(result(r), MPI_SUCCESS);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Later messages are sent all the same, so that no process is left waiting. */
static void goes_on_after_an_error(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    adi3_sched_recv(s, &adi3_world, fake_bytes(in[1], LEN / 2), 1);
    adi3_sched_fence(s);
    send_to(s, 2);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    comes(1, TAG);
    adi3_poll();
    gone(2);
    assert_true(called == 1 && seen == MPI_ERR_TRUNCATE);
    assert_int_equal(result(r), MPI_ERR_TRUNCATE);
}

static void the_first_error(void **state)
{
    int other = adi3_error(MPI_ERR_OP, "another"), more = adi3_error(MPI_ERR_IO, "one more");

    (void) state;
    struct adi3_sched *s = begin();
    adi3_sched_call(s, note, &other);
    adi3_sched_call(s, note, &more);
    struct adi3_request *r = start(s);
    assert_true(called == 2 && seen == MPI_ERR_OP);
    assert_int_equal(result(r), MPI_ERR_OP);
}

static void a_lost_peer(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    recv_from(s, 1);
    recv_from(s, 2);
    adi3_sched_fence(s);
    send_to(s, 1);
    recv_from(s, 1);
    send_to(s, 2);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    fake_lose(1);
    adi3_poll();
    assert_true(!called && !fake_done(r));
    comes(2, TAG);
    adi3_poll();
    gone(2);
    assert_true(called == 1 && seen == MPI_ERR_OTHER);
    assert_int_equal(result(r), MPI_ERR_OTHER);
}

/* A peer is lost before the schedule begins: it is complete at once, with that error. */
static void lost_before(void **state)
{
    (void) state;
    fake_lose(1);
    struct adi3_sched *s = begin();
    send_to(s, 1);
    recv_from(s, 1);
    adi3_sched_fence(s);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    assert_true(fake_done(r) && called == 1);
    assert_int_equal(result(r), MPI_ERR_OTHER);
}

/* Without memory the operation fails when it is started, and functions of steps are called. */
static void no_memory(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    out_of_memory = true;
    assert_null(adi3_sched_bytes(s, 100));
    out_of_memory = false;
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    assert_true(called == 1 && seen == MPI_ERR_NO_MEM);
    assert_int_equal(result(r), MPI_ERR_NO_MEM);

    s = begin();
    out_of_memory = true;
    recv_from(s, 1);
    adi3_sched_fence(s);
    adi3_sched_call(s, note, NULL);
    assert_int_equal(called, 1);
    out_of_memory = false;
    r = start(s);
    assert_true(called == 1 && seen == MPI_ERR_NO_MEM);
    assert_int_equal(result(r), MPI_ERR_NO_MEM);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void never_begun(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    recv_from(s, 1);
    (void) adi3_sched_bytes(s, 10);
    adi3_sched_fence(s);
    adi3_sched_free(s);
    assert_int_equal(fake_requests(), 0);
}

static struct adi3_comm *another(void)
{
    const struct adi3_subgroup t = { .size = 3 };
    struct adi3_comm *c;

    assert_int_equal(adi3_comm_new(&adi3_world, &t, adi3_context_pick(&adi3_world), &c),
                     MPI_SUCCESS);
    return c;
}

static void comes_in(const struct adi3_comm *c, int tag)
{
    struct dev_pkt pkt = fake_eager(1, tag, LEN);

    pkt.ctx = c->recv_ctx + ADI3_COLL;
    assert_true(fake_arrive(1, pkt, word, FAKE_WHOLE) >= 0);
    adi3_poll();
}

/* Its communicator lives until the request has been completed. */
static void keeps_its_communicator(void **state)
{
    struct adi3_comm *c = another();
    MPI_Comm handle = c->handle;
    MPI_Request h;

    (void) state;
    struct adi3_sched *s = begin();
    adi3_sched_recv(s, c, fake_bytes(in[1], LEN), 1);
    adi3_sched_fence(s);
    adi3_sched_send(s, c, fake_bytes(out, LEN), 2);
    assert_int_equal(adi3_sched_start(s, c, &h), MPI_SUCCESS);
    adi3_comm_release(c);
    comes_in(c, TAG);
    free(fake_take());
    assert_non_null(adi3_get(&adi3_comms, handle));
    assert_int_equal(result(adi3_request_get(h)), MPI_SUCCESS);
    assert_null(adi3_get(&adi3_comms, handle));
}

/* In MPI_Finalize the functions of all steps that have not begun are called, once, and all is
 * freed. */
static void unfinished_at_the_end(void **state)
{
    struct adi3_comm *c = another();
    struct adi3_sched *s = begin();
    MPI_Request h;

    adi3_sched_recv(s, c, fake_bytes(in[1], LEN), 1);
    adi3_sched_fence(s);
    adi3_sched_recv(s, c, fake_bytes(in[2], LEN), 2);
    adi3_sched_fence(s);
    adi3_sched_call(s, note, NULL);
    assert_int_equal(adi3_sched_start(s, c, &h), MPI_SUCCESS);
    struct adi3_sched *over = adi3_sched_new(TAG + 1);
    adi3_sched_call(over, note, NULL);
    (void) start(over);
    comes_in(c, TAG);
    assert_int_equal(called, 1);
    fake_leave();
    assert_true(called == 2 && seen == MPI_ERR_OTHER);
    (void) fake_setup(state);
}

/* More receives than may be under way: the others begin as those before them end. widened: all. */
static void many_receives(bool widened)
{
    enum { ALL = 100, AT_ONCE = 64 };
    static char got[ALL][LEN];
    struct adi3_sched *s = begin();
    int under_way = widened ? ALL : AT_ONCE;

    if (widened)
        adi3_sched_widen(s, ALL);
    for (int i = 0; i < ALL; i++)
        adi3_sched_recv(s, &adi3_world, fake_bytes(got[i], LEN), 1);
    adi3_sched_fence(s);
    adi3_sched_call(s, note, NULL);
    struct adi3_request *r = start(s);
    for (int i = 0; i < ALL; i++) {
        int left = ALL - i;
        assert_int_equal(adi3_world.queue[1]->nposted, left < under_way ? left : under_way);
        assert_true(!called && !fake_done(r));
        comes(1, TAG);
        adi3_poll();
    }
    assert_int_equal(called, 1);
    assert_int_equal(result(r), MPI_SUCCESS);
}

static void not_all_at_once(void **state)
{
    (void) state;
    many_receives(false);
    many_receives(true);
}

static void neither_freed_nor_cancelled(void **state)
{
    (void) state;
    struct adi3_sched *s = begin();
    recv_from(s, 1);
    struct adi3_request *r = start(s);
    assert_int_equal(fake_class(adi3_request_freeable(r)), MPI_ERR_REQUEST);
    assert_int_equal(fake_class(adi3_cancel(r)), MPI_ERR_REQUEST);
    assert_int_equal(fake_class(adi3_startable(r)), MPI_ERR_REQUEST);
    comes(1, TAG);
    adi3_poll();
    assert_int_equal(fake_class(adi3_request_freeable(r)), MPI_ERR_REQUEST);
    assert_int_equal(result(r), MPI_SUCCESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(of_nothing),
        TEST(together_between_fences),
        TEST(all_at_the_start),
        TEST(a_send_that_takes_long),
        TEST(memory),
        TEST(several_at_once),
        TEST(not_all_at_once),
        TEST(one_within_another),
        TEST(goes_on_after_an_error),
        TEST(the_first_error),
        TEST(a_lost_peer),
        TEST(lost_before),
        TEST(no_memory),
        TEST(never_begun),
        TEST(keeps_its_communicator),
        TEST(unfinished_at_the_end),
        TEST(neither_freed_nor_cancelled),
    };

    return UNIT_RUN(tests);
}
