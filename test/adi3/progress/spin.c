/* spin.c — how long waits spin: longer after short waits in vain, shorter where most are long. */
#include "fake.h"
#include "adi3/progress/progress_impl.h"

enum { SHORT_NS = 20000, LONG_NS = 160000 };

static uint64_t spin_now(void)
{
    const struct adi3_wait w = { .on = NULL };

    return spin_time(&w);
}

static void wait_for(int n, uint64_t ns)
{
    for (int i = 0; i < n; i++) {
        spin_begins();
        if (ns)
            spin_note_wait(ns);
    }
}

static void short_waits_are_spun(void **state)
{
    (void) state;
    assert_int_equal(spin_now(), SHORT_NS);
    wait_for(1, SHORT_NS + 1);
    assert_int_equal(spin_now(), 2 * SHORT_NS);
    wait_for(9, LONG_NS - 1);
    assert_int_equal(spin_now(), LONG_NS);
}

/* Beside other load now and then a wait is long. */
static void single_long_waits_change_nothing(void **state)
{
    (void) state;
    wait_for(9, LONG_NS - 1);
    for (int i = 0; i < 100; i++) {
        wait_for(1, 10 * LONG_NS);
        wait_for(1, 0);
    }
    assert_int_equal(spin_now(), LONG_NS);
}

static void long_waits_spin_less(void **state)
{
    (void) state;
    wait_for(9, LONG_NS - 1);
    wait_for(16, LONG_NS);
    assert_true(spin_now() < LONG_NS);
    wait_for(100, LONG_NS);
    assert_int_equal(spin_now(), SHORT_NS);
}

static void more_for_what_is_under_way(void **state)
{
    const struct adi3_wait copies = { .bytes = 80000 }, much = { .bytes = 1 << 30 };

    (void) state;
    uint64_t plain = spin_now();
    assert_int_equal(spin_time(&copies), plain + 10000);
    assert_int_equal(spin_time(&much), plain + 1000000);
    adi3_expect_wait(5000);
    assert_int_equal(spin_time(&copies), plain + 15000);
    adi3_expect_wait(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_waits_are_spun),
        cmocka_unit_test(single_long_waits_change_nothing),
        cmocka_unit_test(long_waits_spin_less),
        cmocka_unit_test(more_for_what_is_under_way),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
