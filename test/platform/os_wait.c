/* os_wait.c — futex, epoll, the memory barrier between processes, clocks and cores. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include "platform/os.h"
#include "unit.h"

enum { MS = 1000000 };

struct shared {
    OS_ALIGNED _Atomic uint32_t word;
    OS_ALIGNED _Atomic uint32_t a, b;
    OS_ALIGNED _Atomic uint32_t round[2], saw[2];
};

static struct shared *shared_new(void)
{
    int fd = os_memfd("unit", sizeof(struct shared));
    struct shared *s = os_map(fd, sizeof *s);

    assert_non_null(s);
    (void) close(fd);
    return s;
}

/* ---- futex ----------------------------------------------------------------------------------- */

static void times_out(void **state)
{
    struct shared *s = shared_new();
    uint64_t begin = os_time_ns();

    (void) state;
    assert_int_equal(os_futex_wait(&s->word, 0, 30 * MS), -ETIMEDOUT);
    uint64_t took = os_time_ns() - begin;
    assert_true(took >= 30 * MS);
    begin = os_time_ns();
    assert_int_equal(os_futex_wait(&s->word, 1, 10000ull * MS), -EAGAIN); /* it has changed */
    assert_true(os_time_ns() - begin < 5000ull * MS);
    os_unmap(s, sizeof *s);
}

static void wakes(void *arg)
{
    struct shared *s = arg;

    atomic_store(&s->word, 1);
    os_futex_wake(&s->word, 1);
}

static void woken_by_another_process(void **state)
{
    struct shared *s = shared_new();

    (void) state;
    for (int i = 0; i < 20; i++) {
        atomic_store(&s->word, 0);
        pid_t child = unit_fork(wakes, s);
        int rc = 0;
        while (!atomic_load(&s->word))
            rc = os_futex_wait(&s->word, 0, 10000ull * MS);
        assert_true(rc == 0 || rc == -EAGAIN);
        assert_true(unit_ended_well(child));
    }
    os_unmap(s, sizeof *s);
}

/* ---- the memory barrier between processes ---------------------------------------------------- */

enum { ROUNDS = 100000, AT_MOST_MS = 1500 };
static const uint32_t over = UINT32_MAX;

/* Waits for the other side, which may have no core; false when it has ended the test. */
static bool synchronize(struct shared *s, int me, uint32_t round)
{
    uint32_t seen;

    atomic_store(&s->round[me], round);
    for (int n = 0; (seen = atomic_load(&s->round[1 - me])) < round; n++)
        if (n > 500)
            os_yield();
    return seen != over;
}

/* A random delay, so that sometimes one and sometimes the other side is earlier. */
static void dawdle(uint32_t n)
{
    for (volatile uint32_t i = 0; i < n; i++)
        ;
}

/* The side of the sender: stores, then loads, without a barrier between. */
static void sends(void *arg)
{
    struct shared *s = arg;

    CHECK(os_membarrier_init());
    for (uint32_t r = 1; synchronize(s, 1, 2 * r); r++) {
        dawdle(r % 61);
        atomic_store_explicit(&s->a, r, memory_order_release);
        atomic_signal_fence(memory_order_seq_cst);
        atomic_store_explicit(&s->saw[1], atomic_load_explicit(&s->b, memory_order_relaxed),
                              memory_order_relaxed);
        (void) synchronize(s, 1, 2 * r + 1);
    }
}

/* At least one side sees the store of the other, with a barrier on one side only. */
static void orders_both(void **state)
{
    struct shared *s = shared_new();

    (void) state;
    if (!os_membarrier_init()) {
        (void) fprintf(stderr, "skipped: no membarrier here\n");
        skip();
    }
    pid_t child = unit_fork(sends, s);
    int blind = 0;
    uint64_t end = os_time_ns() + AT_MOST_MS * (uint64_t) MS;
    for (uint32_t r = 1; r <= ROUNDS && os_time_ns() < end; r++) {
        (void) synchronize(s, 0, 2 * r);
        dawdle(r % 37);
        atomic_store_explicit(&s->b, r, memory_order_relaxed);
        os_membarrier();
        uint32_t saw = atomic_load_explicit(&s->a, memory_order_relaxed);
        (void) synchronize(s, 0, 2 * r + 1);
        blind += saw < r && atomic_load(&s->saw[1]) < r;
    }
    atomic_store(&s->round[0], over);
    assert_true(unit_ended_well(child));
    assert_int_equal(blind, 0);
    os_unmap(s, sizeof *s);
}

/* ---- epoll ----------------------------------------------------------------------------------- */

static void epoll_tells_who(void **state)
{
    int e = os_epoll(), p[2], q[2], x, y;
    void *ready[4] = { NULL };

    (void) state;
    assert_true(e >= 0 && !pipe(p) && !pipe(q));
    assert_int_equal(fcntl(e, F_GETFD), FD_CLOEXEC);
    assert_int_equal(os_epoll_set(e, p[0], true, false, &x), 0);
    assert_int_equal(os_epoll_set(e, q[0], true, false, &y), 0);
    assert_int_equal(os_epoll_wait(e, ready, 4, 10), 0);
    assert_int_equal(write(q[1], "", 1), 1);
    assert_int_equal(os_epoll_wait(e, ready, 4, 1000), 1);
    assert_ptr_equal(ready[0], &y);
    assert_int_equal(os_epoll_set(e, q[0], true, false, &x), 0); /* changes the entry */
    assert_int_equal(os_epoll_wait(e, ready, 4, 1000), 1);
    assert_ptr_equal(ready[0], &x);
    assert_int_equal(os_epoll_set(e, q[0], false, false, &x), 0);
    assert_int_equal(os_epoll_wait(e, ready, 4, 0), 0);
    assert_int_equal(os_epoll_set(e, q[1], false, true, &y), 0);
    assert_int_equal(os_epoll_wait(e, ready, 4, 1000), 1);
    assert_ptr_equal(ready[0], &y);
    os_epoll_drop(e, q[1]);
    assert_int_equal(os_epoll_wait(e, ready, 4, 0), 0);
    os_epoll_drop(e, q[1]); /* a second time has no effect */
    assert_int_equal(os_epoll_set(e, 9999, true, false, NULL), -EBADF);
    assert_int_equal(os_epoll_wait(-1, ready, 4, 0), -EBADF);
    (void) close(e), (void) close(p[0]), (void) close(p[1]), (void) close(q[0]), (void) close(q[1]);
}

/* Events beyond max are not lost. */
static void epoll_gives_no_more_than_asked(void **state)
{
    int e = os_epoll(), p[5][2];
    void *ready[5];
    unsigned seen = 0;

    (void) state;
    for (int i = 0; i < 5; i++) {
        assert_true(!pipe(p[i]) && write(p[i][1], "", 1) == 1);
        assert_int_equal(os_epoll_set(e, p[i][0], true, false, p[i]), 0);
    }
    while (seen != 31) {
        ready[2] = NULL;
        int n = os_epoll_wait(e, ready, 2, 1000);
        assert_true(n >= 1 && n <= 2 && !ready[2]);
        for (int i = 0; i < n; i++)
            seen |= 1u << ((int(*)[2]) ready[i] - p);
    }
    for (int i = 0; i < 5; i++)
        (void) close(p[i][0]), (void) close(p[i][1]);
    (void) close(e);
}

static void nothing(int signal) { (void) signal; }

static void interrupts(void *arg)
{
    (void) arg;
    os_sleep_ns(20 * MS);
    CHECK(!kill(getppid(), SIGUSR1));
}

static void a_signal_is_neither_event_nor_end(void **state)
{
    const struct sigaction quiet = { .sa_handler = nothing };
    struct sigaction old;
    int e = os_epoll();
    void *ready[1];

    (void) state;
    assert_int_equal(sigaction(SIGUSR1, &quiet, &old), 0);
    pid_t child = unit_fork(interrupts, NULL);
    assert_int_equal(os_epoll_wait(e, ready, 1, 10000), -EINTR);
    assert_true(unit_ended_well(child));
    (void) sigaction(SIGUSR1, &old, NULL);
    (void) close(e);
}

/* ---- time and cores -------------------------------------------------------------------------- */

static void time_goes_forward(void **state)
{
    uint64_t last = os_time_ns();
    double begin = os_wtime();

    (void) state;
    for (int i = 0; i < 10000; i++) {
        uint64_t now = os_time_ns();
        assert_true(now >= last);
        last = now;
    }
    uint64_t before = os_time_ns();
    os_sleep_ns(15 * MS);
    assert_true(os_time_ns() - before >= 15 * MS);
    assert_true(os_wtime() - begin >= 0.015);
    assert_true(os_wtick() > 0 && os_wtick() <= 0.001);
}

static void sets_of_cores(void **state)
{
    struct os_cpus mine, none = { { 0 } }, two = { { 0 } };

    (void) state;
    os_cpus_allowed(&mine);
    assert_true(os_cpus_count(&mine) >= 1);
    assert_int_equal(os_cpus_count(&none), 0);
    two.bits[0] = 1;
    two.bits[OS_CPUS / 64 - 1] = 1ull << 63;
    os_cpus_join(&none, &two);
    os_cpus_join(&none, &two);
    assert_int_equal(os_cpus_count(&none), 2);
    os_cpus_join(&none, &mine);
    assert_true(os_cpus_count(&none) >= os_cpus_count(&mine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_out),
        cmocka_unit_test(woken_by_another_process),
        cmocka_unit_test(orders_both),
        cmocka_unit_test(epoll_tells_who),
        cmocka_unit_test(epoll_gives_no_more_than_asked),
        cmocka_unit_test(a_signal_is_neither_event_nor_end),
        cmocka_unit_test(time_goes_forward),
        cmocka_unit_test(sets_of_cores),
    };

    return UNIT_RUN(tests);
}
