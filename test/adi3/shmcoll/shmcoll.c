/* shmcoll.c — blocks of the node's segment that are released can be taken again, also when several
 * processes take and release at the same time; the lengths of segments; which processes a wait in a
 * segment asks. */
#include <stdlib.h>
#include <string.h>
#include "fake.h"
#include "adi3/collchk/collchk_impl.h"
#include "adi3/shmcoll/shmcoll_impl.h"

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

static void control_blocks_of_many_processes_have_room(void **state)
{
    (void) state;
    static const size_t each[] = { SHMCOLL_EACH, SHMCOLL_LONG };

    for (int i = 0; i < 2 * 4095; i++) {
        int size = 2 + i / 2;
        size_t len = shmcoll_segment_len(size, each[i % 2]);
        assert_int_equal(len & (len - 1), 0);
        assert_in_range(shmcoll_control_block_len(len, size), SHMCOLL_LEAST, 2 * each[i % 2]);
    }
}

/* A long step takes all of the ring, a short one what the caches have of it; each is one range. */
static void short_steps_stay_near(void **state)
{
    enum { NEAR = 40 << 10, RING = 100 << 10, LONG = 20 << 10 };
    struct adi3_shmcoll s = { .ring = RING, .near = NEAR };

    (void) state;
    assert_int_equal(shmcoll_next_at(&s, 64), 0);
    s.end = NEAR - 64;
    assert_int_equal(shmcoll_next_at(&s, 64), s.end);
    assert_int_equal(shmcoll_next_at(&s, 128), 0);
    assert_int_equal(shmcoll_next_at(&s, LONG), s.end);
    s.end = RING - LONG;
    assert_int_equal(shmcoll_next_at(&s, 64), 0);
    assert_int_equal(shmcoll_next_at(&s, LONG), s.end);
    assert_int_equal(shmcoll_next_at(&s, LONG + 64), 0);
}

/* ---- waits ----------------------------------------------------------------------------------- */

enum { TAG = 0x10e21, STEP = 1 };

static struct {
    struct shmcoll_head head;
    struct shmcoll_line line[FAKE_SIZE][SHMCOLL_LINES];
} memory;

static int turns;

/* Half a second passes in each turn. Process 2 comes in the third one. */
static bool pass_time(void)
{
    collchk_tick();
    if (++turns == 3)
        atomic_store(&memory.head.count[STEP].released, STEP);
    return true;
}

static void begin_call(void)
{
    uint32_t number = adi3_world.begun[ADI3_FORM_BLOCKING]++;
    struct adi3_call_history *calls = adi3_collchk_history(&adi3_world, ADI3_FORM_BLOCKING);
    struct adi3_call_record *call = &calls->call[number % ADI3_CALLS_KEPT];

    calls->newest = number;
    *call = (struct adi3_call_record) { .name = "ours", .number = number, .tag = TAG };
    adi3_collchk_begin(&adi3_world, call);
}

static void only_absent_processes_are_asked(void **state)
{
    struct adi3_shmcoll *s = calloc(1, sizeof *s + FAKE_SIZE * sizeof *s->peer);

    (void) state;
    assert_non_null(s);
    *s = (struct adi3_shmcoll) { .head = &memory.head,
                                 .comm = &adi3_world,
                                 .size = FAKE_SIZE,
                                 .last_works = true,
                                 .step = STEP,
                                 .tag = TAG };
    for (int i = 0; i < FAKE_SIZE; i++)
        s->peer[i] = (struct shmcoll_peer) { .line = memory.line[i], .rank = i };
    s->own_line = &memory.line[FAKE_RANK][STEP];
    memory.line[1][STEP].tag = TAG;
    atomic_store(&memory.line[1][STEP].step, STEP);
    begin_call();
    fake.poll = pass_time;
    assert_int_equal(shmcoll_wait(s, &memory.head.count[STEP].released, STEP), MPI_SUCCESS);
    (void) fake_sent(2, PKT_ASK);
    assert_int_equal(fake_waiting(), 0);
    fake_reset();
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_back_is_there_again),
        cmocka_unit_test(nobody_has_what_another_has),
        cmocka_unit_test(all_is_forgotten_when_devices_open_again),
        cmocka_unit_test(control_blocks_of_many_processes_have_room),
        cmocka_unit_test(short_steps_stay_near),
        cmocka_unit_test(only_absent_processes_are_asked),
    };

    return cmocka_run_group_tests(tests, fake_setup, fake_teardown);
}
