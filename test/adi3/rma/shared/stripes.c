/* stripes.c — the stripes of a window are locks, of which a process takes a set in one order. */
#include <string.h>
#include "shared_window.h"

enum { PAUSE_NS = 10000000, MOST = 12 };
static int turns; /* set in main() */

/* Elements under the stripes: what all processes have added, and what one has. */
static int64_t *under_stripes(void) { return (int64_t *) (void *) window_part(0); }
static int64_t *added(int process)
{
    return (int64_t *) (void *) window.counts + process * RMA_STRIPES;
}

static void adds(void *arg)
{
    struct rma_place p = window_place(0);

    (void) arg;
    window_start_together();
    for (int i = 0; i < turns; i++) {
        size_t first = unit_random(RMA_STRIPES), n = 1 + unit_random(MOST);
        uint64_t set = rma_pages(first * 4096, n * 4096);
        CHECK(__builtin_popcountll(set) == (int) n);
        CHECK(!rma_stripes_take(&p, set));
        for (; n > 0; n--, first++) {
            under_stripes()[first % RMA_STRIPES]++;
            added(window.memory.me)[first % RMA_STRIPES]++;
        }
        rma_stripes_release(&p, set);
    }
}

static void sets_exclude_each_other(void **state)
{
    (void) state;
    memset(window.counts, 0, WINDOW_PROCESSES * RMA_STRIPES * sizeof(int64_t));
    memset(window_part(0), 0, WINDOW_BYTES);
    assert_true(window_run(adds, NULL));
    for (int i = 0; i < RMA_STRIPES; i++) {
        int64_t sum = 0;
        for (int process = 0; process < WINDOW_PROCESSES; process++)
            sum += added(process)[i];
        assert_int_equal(under_stripes()[i], sum);
    }
    assert_int_equal(window_place(0).owner->stripes, 0);
}

static void take_five(void *arg)
{
    struct rma_place p = window_place(0);

    (void) arg;
    CHECK(!rma_stripes_take(&p, 31));
    rma_stripes_release(&p, 31);
}

/* A process takes all stripes before the first that another one has, and no others: so it is not
 * passed for ever by those that want fewer. */
static void what_is_free_is_taken_in_order(void **state)
{
    struct rma_place p = window_place(0);

    (void) state;
    assert_int_equal(rma_stripes_take(&p, 4), MPI_SUCCESS);
    pid_t pid = window_fork(1, take_five, NULL);
    while (p.owner->stripes == 4)
        os_yield();
    os_sleep_ns(PAUSE_NS);
    assert_int_equal(p.owner->stripes, 7);
    assert_int_equal(rma_stripes_take(&p, 24), MPI_SUCCESS);
    assert_int_equal(p.owner->stripes, 31);
    rma_stripes_release(&p, 28);
    assert_true(unit_ended_well(pid));
    assert_int_equal(p.owner->stripes, 0);
}

static _Atomic int *step(void) { return (_Atomic int *) (void *) window.counts; }

static void holds(void *arg)
{
    struct rma_place p = window_place(0), other = window_place(3);

    (void) arg;
    CHECK(!rma_stripes_take(&other, 2));
    rma_stripes_release(&other, 2);
    CHECK(!rma_stripes_take(&p, 1));
    *step() = 1;
    os_sleep_ns(UINT64_MAX / 4);
}

/* The death of a process is an error only for those that want its stripes of that memory, and what
 * they have taken before is free again. */
static void a_death_is_told_for_its_stripes(void **state)
{
    struct rma_place p = window_place(0), other = window_place(3);

    (void) state;
    *step() = 0;
    pid_t pid = window_fork(1, holds, NULL);
    while (*step() == 0)
        os_yield();
    unit_kill(pid);
    int err = rma_stripes_take(&p, 3);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "rank 10 "));
    assert_int_equal(p.owner->stripes, 1);
    assert_int_equal(rma_stripes_take(&p, 2), MPI_SUCCESS);
    rma_stripes_release(&p, 2);
    assert_int_equal(rma_stripes_take(&other, 3), MPI_SUCCESS);
    rma_stripes_release(&other, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sets_exclude_each_other, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(what_is_free_is_taken_in_order, window_set_up,
                                        window_tear_down),
        cmocka_unit_test_setup_teardown(a_death_is_told_for_its_stripes, window_set_up,
                                        window_tear_down),
    };

    turns = test_size(20000, 100000);
    return UNIT_RUN(tests);
}
