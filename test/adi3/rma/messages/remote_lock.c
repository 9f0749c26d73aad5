/* remote_lock.c — operations that ask for the lock of their target: they wait for it there, and
 * with them what is behind. This process has the lock of its window first, and the packets of
 * rank 1 are its own. */
#include <string.h>
#include "rma/rma_loop.h"

static long one[64];

static struct adi3_rma operation(enum adi3_rma_kind kind, MPI_Aint disp)
{
    const struct adi3_data d = { one, 1, adi3_type_builtin(MPI_LONG) };

    return loop_op(kind, disp, d);
}

static long at(MPI_Aint disp)
{
    long x;

    memcpy(&x, loop_memory + LOOP_UNIT * disp, sizeof x);
    return x;
}

static struct rma_control *own(void) { return &loop.w->memory->control[loop.w->memory->me]; }

static bool released; /* by let_in() */

/* A call of rank 1 waits. All its packets are here, and nothing is done before the lock is free. */
static bool let_in(void)
{
    if (loop_pump() || released)
        return false;
    assert_non_null(loop.t->after);
    assert_non_null(loop.t->ticket);
    assert_true(rma_is_busy(loop.w));
    assert_int_equal(at(2), 0);
    released = true;
    rma_lock_drop(loop.w, own(), RMA_WRITES);
    return true;
}

static void begin(void)
{
    one[0] = 5;
    assert_int_equal(rma_lock_wait(loop.w, own(), RMA_WRITES), MPI_SUCCESS);
    released = false;
    fake.poll = let_in;
    assert_int_equal(adi3_win_lock(loop.w, MPI_LOCK_EXCLUSIVE, 1, 0), MPI_SUCCESS);
    assert_int_equal(loop.t->lock_due, RMA_WRITES + 1);
}

static void over(void)
{
    assert_true(released);
    assert_null(loop.t->after);
    assert_null(loop.t->ticket);
    assert_int_equal(own()->tickets, 0);
    assert_int_equal(own()->lock.users, own()->lock.write);
    assert_int_equal(loop.t->lock_due + loop.t->awaits_lock, 0);
    fake.poll = loop_pump;
}

static void with_unlock(void **state)
{
    const struct adi3_rma put = operation(ADI3_PUT, 2);

    (void) state;
    for (loop.pieces = 0; loop.pieces < 3; loop.pieces++) {
        memset(loop_memory, 0, sizeof loop_memory);
        memset(loop.sent, 0, sizeof loop.sent);
        begin();
        (void) loop_send(&put, false);
        assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
        over();
        assert_int_equal(at(2), 5);
        assert_int_equal(loop.sent[PKT_RMA], 1);
        assert_int_equal(loop.sent[PKT_RMA_SYNC], 1); /* the answer */
    }
}

static void with_more(void **state)
{
    const struct adi3_rma put = operation(ADI3_PUT, 2), next = operation(ADI3_PUT, 8);

    (void) state;
    begin();
    (void) loop_send(&put, false);
    assert_int_equal(loop.t->awaits_lock, RMA_BY_SYNC);
    (void) loop_send(&next, false); /* waits for the lock */
    assert_true(released);
    assert_int_equal(adi3_win_flush(loop.w, 1, false), MPI_SUCCESS);
    assert_int_equal(at(2), 5);
    assert_int_equal(at(8), 5);
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    over();
}

static void of_all_kinds(void **state)
{
    long old, none = 0;

    (void) state;
    for (int kind = ADI3_GET; kind <= ADI3_COMPARE_AND_SWAP; kind++) {
        struct adi3_rma x = operation((enum adi3_rma_kind) kind, 2);
        x.op = adi3_op_builtin(MPI_SUM);
        x.compare = &none;
        if (kind >= ADI3_GET_ACCUMULATE)
            x.result = (struct adi3_data) { &old, 1, x.type };
        if (kind == ADI3_GET)
            x.origin.buf = &old;
        memset(loop_memory, 0, sizeof loop_memory);
        old = 77;
        begin();
        (void) loop_send(&x, false);
        assert_int_equal(loop.t->lock_due, 0);
        assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
        over();
        assert_int_equal(old, kind == ADI3_ACCUMULATE ? 77 : 0);
        assert_int_equal(at(2), kind == ADI3_GET ? 0 : 5);
    }
}

/* A large one does not wait at the target: the lock is asked for before. */
static void large(void **state)
{
    static char bytes[5000];
    const struct adi3_rma put = loop_op(ADI3_PUT, 2, fake_bytes(bytes, sizeof bytes));

    (void) state;
    begin();
    rma_lock_drop(loop.w, own(), RMA_WRITES);
    released = true;
    fake.poll = loop_pump;
    memset(bytes, 'x', sizeof bytes);
    (void) loop_send(&put, false);
    assert_int_equal(loop.sent[PKT_RMA_SYNC], 2);
    assert_non_null(loop.t->ticket);
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    assert_memory_equal(loop_memory + (ptrdiff_t) 2 * LOOP_UNIT, bytes, sizeof bytes);
    over();
}

/* Sync packets that answer this process pass what waits for the lock of its window. */
static void answers_pass(void **state)
{
    const struct adi3_rma put = operation(ADI3_PUT, 2);
    struct rma_target *other = rma_target(loop.w, 2);
    const struct rma_sync_fields none = { 0 };

    (void) state;
    begin();
    (void) loop_send(&put, false);
    piggyback_send();
    (void) loop_pump();
    assert_non_null(loop.t->after);
    loop.t->granted = false;
    assert_int_equal(rma_sync_send(loop.w, 1, RMA_SYNC_LOCKED, &none), MPI_SUCCESS);
    (void) loop_pump();
    assert_true(loop.t->granted);
    loop.t->granted = false;
    assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
    assert_null(other->after);
    over();
}

/* The lock does not come: nothing is done, and that is told once. */
static bool deny(void)
{
    if (loop_pump() || released)
        return false;
    released = true;
    rma_lock_origin_lost(loop.w, loop.t);
    return true;
}

static void denied(void **state)
{
    const struct adi3_rma put = operation(ADI3_PUT, 2);

    (void) state;
    for (int syncs = 0; syncs < 2; syncs++) {
        begin();
        fake.poll = deny;
        (void) loop_send(&put, false);
        if (syncs) {
            assert_int_equal(fake_class(adi3_win_flush(loop.w, 1, false)), MPI_ERR_OTHER);
            assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
        } else {
            int err = adi3_win_unlock(loop.w, 1);
            assert_int_equal(fake_class(err), MPI_ERR_OTHER);
            assert_non_null(strstr(loop_text(err), "held or waited for a lock"));
        }
        assert_int_equal(at(2), 0);
        assert_false(loop.t->denied);
        rma_lock_drop(loop.w, own(), RMA_WRITES);
        adi3_poll(); /* its ticket is passed on */
        over();
        begin(); /* the next time all is well */
        (void) loop_send(&put, false);
        assert_int_equal(adi3_win_unlock(loop.w, 1), MPI_SUCCESS);
        over();
        assert_int_equal(at(2), 5);
        memset(loop_memory, 0, sizeof loop_memory);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, loop_setup, loop_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(with_unlock), TEST(with_more),    TEST(of_all_kinds),
        TEST(large),       TEST(answers_pass), TEST(denied),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
