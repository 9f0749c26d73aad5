/* sleep.c — a process that sleeps is woken, and a wake-up that did not come is counted. */
#include <sys/eventfd.h>
#include "fake.h"
#include "adi3/progress/progress_impl.h"

static int looks, finds_at; /* calls of work(), and which of them finds something */

static bool work(void) { return ++looks == finds_at; }

static bool sleep_until(int found_by_look, int epoll)
{
    struct adi3_wait w = { .on = NULL };

    sleep_counts = (struct sleep_counts) { 0 };
    looks = 0;
    finds_at = found_by_look;
    return sleep_until_woken(&w, work, epoll, SLEEP_TICK_MS);
}

static void check(uint64_t all, uint64_t in_vain, uint64_t late)
{
    assert_int_equal(fake_counter("progress_sleeps"), all);
    assert_int_equal(fake_counter("progress_sleeps_in_vain"), in_vain);
    assert_int_equal(fake_counter("progress_sleeps_late"), late);
    assert_int_equal(*adi3_node.asleep(&adi3_node, adi3_node.index), DEV_AWAKE);
}

static void does_not_sleep_when_there_is_work(void **state)
{
    (void) state;
    assert_false(sleep_until(1, -1));
    check(0, 0, 0);
}

/* A sleep ends after half a second: the poll behind it finds nothing, or work for which no sender
 * has woken us. */
static void counts_what_it_overslept(void **state)
{
    int epoll = os_epoll();

    (void) state;
    assert_true(sleep_until(0, -1));
    check(1, 1, 0);
    assert_true(sleep_until(2, -1));
    check(1, 1, 1);
    assert_true(sleep_until(2, epoll));
    check(1, 1, 1);
    (void) close(epoll);
}

static void wake_us(void *arg)
{
    int index = *(int *) arg;

    while (!*adi3_node.asleep(&adi3_node, index))
        os_yield();
    adi3_node.wake(&adi3_node, index);
}

static void is_woken(void **state)
{
    int fd = sleep_wake_fd(), epolls[] = { -1, os_epoll() };

    (void) state;
    assert_int_equal(os_epoll_set(epolls[1], fd, true, false, NULL), 0);
    for (int i = 0; i < 2; i++) {
        pid_t waker = unit_fork(wake_us, &adi3_node.index);
        assert_true(sleep_until(2, epolls[i]));
        check(1, 0, 0);
        assert_int_equal(looks, 1);
        assert_true(unit_ended_well(waker));
    }
    (void) close(epolls[1]);
}

/* A descriptor that becomes readable ends the sleep. */
static void descriptors_wake(void **state)
{
    int epoll = os_epoll(), event = eventfd(1, EFD_CLOEXEC);

    (void) state;
    assert_int_equal(os_epoll_set(epoll, event, true, false, NULL), 0);
    assert_true(sleep_until(2, epoll));
    check(1, 0, 0);
    (void) close(event);
    (void) close(epoll);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_not_sleep_when_there_is_work),
        cmocka_unit_test(counts_what_it_overslept),
        cmocka_unit_test(is_woken),
        cmocka_unit_test(descriptors_wake),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
