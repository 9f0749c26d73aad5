/* os_place.c — the parts of a synthetic machine of hwloc: the number of the part that has all
 * the given cores, and none when they are in several. */
#include <stdlib.h>
#include "platform/os.h"
#include "unit.h"

static bool known; /* hwloc is present */

/* Two packages, each with two caches of two cores of two threads, numbered in this order. */
static int set_up(void **state)
{
    static int at[OS_LEVELS];
    struct os_cpus first = { { 1 } };

    (void) state;
    (void) setenv("HWLOC_SYNTHETIC", "pack:2 [numa] l3:2 core:2 pu:2", 1);
    known = os_place(&first, at);
    return 0;
}

static void check(uint64_t cpus, int package, int l3, int core, int pu)
{
    struct os_cpus set = { { cpus } };
    int at[OS_LEVELS];

    if (!known)
        skip();
    assert_true(os_place(&set, at));
    assert_int_equal(at[OS_PACKAGE], package);
    assert_int_equal(at[OS_NUMA], package);
    assert_int_equal(at[OS_L3], l3);
    assert_int_equal(at[OS_L2], -1);
    assert_int_equal(at[OS_CORE], core);
    assert_int_equal(at[OS_PU], pu);
}

static void test_one_core(void **state)
{
    (void) state;
    for (int i = 0; i < 16; i++)
        check(1ull << i, i / 8, i / 4, i / 2, i);
}

static void test_several(void **state)
{
    (void) state;
    check(0x3, 0, 0, 0, -1);
    check(0xc00, 1, 2, 5, -1);
    check(0x5, 0, 0, -1, -1);
    check(0xf000, 1, 3, -1, -1);
    check(0x81, 0, -1, -1, -1);
    check(0xff, 0, -1, -1, -1);
    check(0x180, -1, -1, -1, -1);
}

/* Cores that the machine does not have are in no part. */
static void test_foreign(void **state)
{
    (void) state;
    check(1ull << 40, -1, -1, -1, -1);
}

/* After os_place_end() the machine can be loaded again. */
static void test_again(void **state)
{
    (void) state;
    os_place_end();
    os_place_end();
    check(1ull << 9, 1, 2, 4, 9);
    os_place_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_core),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_again),
    };

    return UNIT_RUN_BETWEEN(tests, set_up, NULL);
}
