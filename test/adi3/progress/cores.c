/* cores.c — on an oversubscribed node a waiting process leaves a core that has two processes more
 * than another one. */
#include "fake.h"
#include "adi3/progress/progress_impl.h"

enum { MS = 1000000, RANKS = 4, HERE = 1, THERE = 0 };

static uint64_t now = 1000000000; /* ns; goes on from test to test */
static int here, moves;
static struct os_cpus allowed;

int __wrap_os_cpu(void);
int __wrap_os_cpu(void) { return here; }

void __wrap_os_cpus_allowed(struct os_cpus *set);
void __wrap_os_cpus_allowed(struct os_cpus *set) { *set = allowed; }

bool __wrap_os_cpu_move(int cpu);
bool __wrap_os_cpu_move(int cpu)
{
    moves++;
    here = cpu;
    return true;
}

static int own_cpu(void) { return core_of(&adi3_node, adi3_node.index); }

static void put_rank(int behind_own, int cpu)
{
    node_slot((adi3_node.index + behind_own) % RANKS)->cpu = cpu;
}

/* Four ranks on two cores: so many of the others on the core of this process. */
static void put_ranks(int others_here)
{
    for (int i = 1; i < RANKS; i++)
        put_rank(i, i <= others_here ? HERE : THERE);
}

static int two_cores(void **state)
{
    (void) state;
    adi3_node.count = RANKS;
    adi3_node.cores = 2;
    allowed = (struct os_cpus) { { 1 << HERE | 1 << THERE } };
    here = HERE;
    moves = 0;
    for (int i = 0; i < RANKS; i++)
        *adi3_node.asleep(&adi3_node, i) = DEV_AWAKE;
    now += 1000 * (uint64_t) MS;
    return 0;
}

static void three_to_one_becomes_two_to_two(void **state)
{
    (void) state;
    put_ranks(2);
    core_balance(now);
    assert_int_equal(moves, 1);
    assert_int_equal(own_cpu(), THERE);
    core_balance(now + 10 * MS);
    assert_int_equal(moves, 1);
}

static void even_cores_are_not_left(void **state)
{
    (void) state;
    for (int others_here = 0; others_here < 2; others_here++) {
        put_ranks(others_here);
        now += 10 * MS;
        core_balance(now);
        assert_int_equal(moves, 0);
        assert_int_equal(own_cpu(), HERE);
    }
}

static void sleepers_do_not_count(void **state)
{
    (void) state;
    put_ranks(3);
    for (int i = 1; i < 3; i++)
        *adi3_node.asleep(&adi3_node, (adi3_node.index + i) % RANKS) = DEV_ASLEEP;
    core_balance(now);
    assert_int_equal(moves, 1);
    here = HERE;
    put_ranks(3);
    *adi3_node.asleep(&adi3_node, (adi3_node.index + 3) % RANKS) = DEV_ASLEEP;
    core_balance(now + 10 * MS);
    assert_int_equal(moves, 1);
}

static void a_bound_process_stays(void **state)
{
    (void) state;
    allowed = (struct os_cpus) { { 1 << HERE } };
    put_ranks(3);
    core_balance(now);
    assert_int_equal(moves, 0);
}

/* It says where it is each time. */
static void it_looks_at_most_once_a_millisecond(void **state)
{
    (void) state;
    put_ranks(1);
    core_balance(now);
    put_ranks(3);
    core_balance(now + MS / 2);
    assert_int_equal(moves, 0);
    here = THERE;
    core_balance(now + MS / 2);
    assert_int_equal(own_cpu(), THERE);
    here = HERE;
    core_balance(now + 2 * MS);
    assert_int_equal(moves, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(three_to_one_becomes_two_to_two, two_cores),
        cmocka_unit_test_setup(even_cores_are_not_left, two_cores),
        cmocka_unit_test_setup(sleepers_do_not_count, two_cores),
        cmocka_unit_test_setup(a_bound_process_stays, two_cores),
        cmocka_unit_test_setup(it_looks_at_most_once_a_millisecond, two_cores),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
