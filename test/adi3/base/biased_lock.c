/* biased_lock.c — the lock between the calls of a program of one thread and a thread of the
 * library: they exclude each other, and the thread gives up while the program is in a call. */
#include "adi3/base/base.h"
#include "platform/os.h"
#include "unit.h"

enum { CALLS = 300000, SERVICES = 20000, LONG = 1 << 30 };

static long inside, served; /* plain: the lock guards them */
static _Atomic bool over;

/* Takes its time, so that another one at the same time would be lost. */
static void count(void)
{
    volatile long *at = &inside;
    long now = *at;

    for (volatile int i = 0; i < 20; i++)
        ;
    *at = now + 1;
}

static void *serve(void *nothing)
{
    while (!atomic_load(&over))
        if (base_serve_begin()) {
            count();
            served++;
            base_serve_end();
        } else
            os_yield();
    return nothing;
}

/* Calls beside the thread lose no update of what both write. */
static void exclude(bool fences)
{
    struct os_thread t;
    long calls = 0;

    inside = served = 0;
    atomic_store(&over, false);
    base_bias_lock(fences);
    assert_true(adi3_locks && adi3_lock_held());
    adi3_unlock();
    assert_int_equal(os_thread_start(&t, serve), 0);
    for (bool enough = false; calls < CALLS || !enough; calls++) {
        adi3_lock();
        count();
        enough = served > SERVICES;
        adi3_unlock();
    }
    atomic_store(&over, true);
    os_thread_join(&t);
    assert_int_equal(inside, calls + served);
    adi3_lock();
    base_unbias_lock();
    assert_false(adi3_locks);
}

static void by_membarrier(void **state)
{
    (void) state;
    if (os_membarrier_init())
        exclude(false);
}

static void by_fences(void **state)
{
    (void) state;
    exclude(true);
}

static void gives_up(void **state)
{
    (void) state;
    adi3_unlock();
    assert_false(base_serve_begin()); /* the lock is not biased */
    adi3_lock();
    base_bias_lock(true);
    assert_true(base_inside());
    assert_false(base_serve_begin());
    assert_false(adi3_unlock_for(LONG));    /* copies keep it */
    assert_true(adi3_unlock_for(SIZE_MAX)); /* functions of the program do not */
    assert_false(base_inside());
    assert_true(base_serve_begin());
    assert_true(adi3_lock_held());
    assert_true(adi3_is(ADI3_SERVED)); /* so no call goes the fast path */
    base_serve_end();
    assert_false(adi3_is(ADI3_SERVED));
    adi3_lock();
    assert_false(base_serve_begin());
    assert_false(adi3_is(ADI3_SERVED));
    assert_true(adi3_lock_held());
    base_unbias_lock();
    adi3_unlock();
    assert_false(base_serve_begin());
    adi3_lock();
}

/* A call that has begun or ended since the last look is seen, also one that is over. */
static void moves(void **state)
{
    (void) state;
    (void) base_moved();
    assert_false(base_moved());
    adi3_unlock();
    assert_true(base_moved());
    assert_false(base_moved());
    assert_false(base_inside());
    adi3_lock();
    adi3_unlock();
    assert_true(base_moved());
    assert_false(base_inside());
    adi3_lock();
    assert_true(base_moved());
    assert_false(base_moved());
    assert_true(base_inside());
}

/* ---- a call that begins just before the membarrier ------------------------------------------- */

static bool call_begins;
static struct os_thread program;

static void *one_call(void *nothing)
{
    adi3_lock();
    adi3_unlock();
    return nothing;
}

void __real_os_membarrier(void);
void __wrap_os_membarrier(void);
void __wrap_os_membarrier(void)
{
    if (call_begins) {
        assert_int_equal(os_thread_start(&program, one_call), 0);
        while (!base_inside())
            os_yield();
    }
    call_begins = false;
    __real_os_membarrier();
}

/* The thread looks for a call behind the membarrier, and the call goes on. */
static void looks_late(void **state)
{
    (void) state;
    base_bias_lock(true);
    adi3_unlock();
    call_begins = true;
    assert_false(base_serve_begin());
    os_thread_join(&program);
    assert_true(base_serve_begin());
    base_serve_end();
    adi3_lock();
    base_unbias_lock();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gives_up), cmocka_unit_test(moves),
                                        cmocka_unit_test(looks_late),
                                        cmocka_unit_test(by_membarrier),
                                        cmocka_unit_test(by_fences) };

    return UNIT_RUN(tests);
}
