/* shmcoll.c — blocks of the node's segment that are released can be taken again, also when several
 * processes take and release at the same time. */
#include <string.h>
#include "fake.h"

enum { LEN = 1 << 16, MOST = 1024, THREADS = 4, TURNS = 20000 };

static size_t all[MOST];

static int take_all(size_t len)
{
    int n = 0;

    while (n < MOST && (all[n] = node_block_take(len)))
        n++;
    return n;
}

static void what_is_given_back_is_there_again(void **state)
{
    (void) state;
    int n = take_all(LEN);
    assert_in_range(n, 1, MOST - 1);
    for (int i = 0; i < n; i++)
        node_block_release(all[i], LEN);
    for (int round = 0; round < 1000; round++) {
        size_t one = node_block_take(LEN);
        assert_int_not_equal(one, 0);
        node_block_release(one, LEN);
    }
    assert_int_equal(take_all(LEN), n);
    for (int i = 0; i < n; i++)
        node_block_release(all[i], LEN);
}

static _Atomic int twice; /* a block was taken by two at the same time */

static void *take_and_give(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        size_t at = node_block_take(LEN);
        if (!at)
            continue;
        _Atomic int *mine = (_Atomic int *) (void *) (adi3_node.base + at + OS_LINE);
        twice += atomic_exchange(mine, 1) != 0;
        atomic_store(mine, 0);
        node_block_release(at, LEN);
    }
    return arg;
}

static void nobody_has_what_another_has(void **state)
{
    struct os_thread t[THREADS];

    (void) state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(os_thread_start(&t[i], take_and_give), 0);
    for (int i = 0; i < THREADS; i++)
        os_thread_join(&t[i]);
    assert_int_equal(twice, 0);
}

static void all_is_forgotten_when_devices_open_again(void **state)
{
    (void) state;
    size_t one = node_block_take(LEN);
    node_block_release(one, LEN);
    node_rewind();
    assert_int_equal(take_all(LEN) > 0, true);
    for (int i = 0; all[i]; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(all[i], all[j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_back_is_there_again),
        cmocka_unit_test(nobody_has_what_another_has),
        cmocka_unit_test(all_is_forgotten_when_devices_open_again),
    };

    return cmocka_run_group_tests(tests, fake_setup, fake_teardown);
}
