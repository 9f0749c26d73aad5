/* yields.c — yields that take whole time slices: a process that waits sleeps instead, for a while,
 * where other programs have had the core, and goes on yielding where ranks of the node had it. */
#include <fcntl.h>
#include "fake.h"
#include "adi3/proc/node_segment.h"
#include "adi3/progress/progress_impl.h"

enum { MS = 1000000, RANKS = 3, CPU = 1, OWN_PID = 100 };

static uint64_t now = 1000000000; /* ns; goes on from test to test */
static uint64_t clocks[RANKS];    /* processor time of each rank, ns */
static int own;                   /* slot */

/* The ranks of this namespace have pids from OWN_PID on; other pids are those of strangers. */
uint64_t __wrap_os_processor_ns(int pid);
uint64_t __wrap_os_processor_ns(int pid)
{
    return pid >= OWN_PID && pid < OWN_PID + RANKS ? clocks[pid - OWN_PID] : 50 * (uint64_t) MS;
}

int __wrap_os_cpu(void);
int __wrap_os_cpu(void) { return CPU; }

/* Three ranks on two cores, all on that of this process. No window is open. */
static int ranks_on_one_core(void **state)
{
    (void) state;
    adi3_node.count = RANKS;
    adi3_node.cores = 2;
    for (int i = 0; i < RANKS; i++) {
        node_slot(i)->pid = OWN_PID + i;
        node_slot(i)->pid_namespace = 7;
        node_slot(i)->cpu = CPU;
    }
    now += 1000 * (uint64_t) MS;
    return 0;
}

/* Slow yields for 24 ms; meanwhile each rank runs for its part of the 20 ms that are lost in the
 * window. Returns how long, in ms, there are no yields from then on. */
static int lose_a_window(const int ran_ms[RANKS])
{
    for (int i = 0; i < 12; i++) {
        for (int r = 0; r < RANKS && i > 0; r++)
            clocks[r] += (uint64_t) ran_ms[r] * MS / 10;
        assert_false(yields_are_banned(now));
        yields_note(now, now + 2 * MS);
        now += 2 * MS;
        if (yields_are_banned(now))
            break;
    }
    int ms = 0;
    while (yields_are_banned(now + (uint64_t) ms * MS))
        ms++;
    return ms;
}

static const int nobody[RANKS] = { 0 };

static void strangers_are_met_with_sleep(void **state)
{
    (void) state;
    for (int i = 0, ms = 10; i < 7; i++, ms = 2 * ms < 200 ? 2 * ms : 200) {
        uint64_t bans = fake_counter("progress_yield_bans");
        assert_int_equal(lose_a_window(nobody), ms);
        assert_int_equal(fake_counter("progress_yield_bans"), bans + 1);
        now += (uint64_t) ms * MS;
    }
}

static void after_a_quiet_time_it_begins_small(void **state)
{
    (void) state;
    assert_int_equal(lose_a_window(nobody), 10);
    now += 10 * MS;
    assert_int_equal(lose_a_window(nobody), 20);
    now += 1000 * (uint64_t) MS;
    assert_int_equal(lose_a_window(nobody), 10);
}

static void one_slow_yield_opens_a_window(void **state)
{
    (void) state;
    yields_note(now, now + 500 * (uint64_t) MS);
    now += 500 * (uint64_t) MS;
    assert_false(yields_are_banned(now));
}

/* Time that this process has used itself is not lost. */
static void quick_yields_between_are_no_loss(void **state)
{
    (void) state;
    for (int i = 0; i < 50; i++) {
        yields_note(now, now + 2 * MS);
        now += 5 * MS;
        yields_note(now, now + MS / 2);
        assert_false(yields_are_banned(now));
    }
}

/* The 10 yields behind the first are the window: 20 ms are lost in it. */
static void ranks_of_this_core_have_run(void **state)
{
    const int enough[RANKS] = { 0, 10, 5 }, too_little[RANKS] = { 0, 10, 4 };

    (void) state;
    assert_int_equal(lose_a_window(enough), 0);
    now += 1000 * (uint64_t) MS;
    assert_int_equal(lose_a_window(too_little), 10);
}

/* What this process ran itself is not what its yields have lost, nor what ranks of other cores ran,
 * unless all ranks of the node had most of all cores. */
static void all_ranks_had_the_cores(void **state)
{
    const int elsewhere[RANKS] = { 3, 16, 12 }, all[RANKS] = { 4, 16, 12 };

    (void) state;
    node_slot((own + 1) % RANKS)->cpu = node_slot((own + 2) % RANKS)->cpu = CPU + 1;
    assert_int_equal(lose_a_window(elsewhere), 10);
    now += 1000 * (uint64_t) MS;
    assert_int_equal(lose_a_window(all), 0);
}

/* There a pid names another process here. */
static void ranks_in_other_containers_do_not_count(void **state)
{
    const int ran[RANKS] = { 0, 20, 20 };

    (void) state;
    node_slot(1)->pid_namespace = node_slot(2)->pid_namespace = 8;
    assert_int_equal(lose_a_window(ran), 10);
    now += 1000 * (uint64_t) MS;
    for (int i = 0; i < RANKS; i++)
        node_slot(i)->pid_namespace = 0; /* not known */
    assert_int_equal(lose_a_window(ran), 10);
}

static void open_window_of_old_ranks(void)
{
    clocks[1] = clocks[2] = 1000 * (uint64_t) MS;
    yields_note(now, now + 2 * MS);
    now += 2 * MS;
}

/* Its pid names no process, or another one. */
static void a_rank_may_end_within_a_window(void **state)
{
    (void) state;
    open_window_of_old_ranks();
    clocks[1] = clocks[2] = 0;
    assert_int_equal(lose_a_window(nobody), 10);
    now += 1000 * (uint64_t) MS;
    open_window_of_old_ranks();
    node_slot(1)->pid = node_slot(2)->pid = 1;
    assert_int_equal(lose_a_window(nobody), 10);
}

/* All ranks but this one are of another job on this node, whose segment has their slots. */
static void ranks_of_connected_jobs_have_run(void **state)
{
    const struct segment_plan plan = { .job = "starling-other", .capacity = RANKS, .each = 65536 };
    const struct proc_job known = { .dev = { .id = 4711, .size = RANKS }, .name = "job B" };
    const int enough[RANKS] = { 0, 10, 5 }, too_little[RANKS] = { 0, 10, 4 };
    struct segment theirs = { .fd = -1 };
    struct proc_job *job;
    const char *what;

    (void) state;
    assert_int_equal(segment_make(&theirs, &plan, &what), 0);
    for (int i = 1; i < RANKS; i++) {
        theirs.head->slot[i - 1] = *node_slot(i);
        node_slot(i)->pid = 0;
    }
    atomic_store(&theirs.head->count, RANKS - 1);
    assert_int_equal(proc_job_learn(&known, &job), MPI_SUCCESS);
    assert_int_equal(neighbor_join(job, fcntl(theirs.fd, F_DUPFD_CLOEXEC, 0)), MPI_SUCCESS);
    adi3_node.count = 1;
    adi3_node.cores = 2;
    assert_int_equal(lose_a_window(enough), 0);
    now += 1000 * (uint64_t) MS;
    assert_int_equal(lose_a_window(too_little), 10);
    neighbor_leave(job);
    segment_unmap(&theirs);
}

static int setup(void **state)
{
    int err = fake_setup(state);

    own = adi3_node.index;
    return err;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(strangers_are_met_with_sleep, ranks_on_one_core),
        cmocka_unit_test_setup(after_a_quiet_time_it_begins_small, ranks_on_one_core),
        cmocka_unit_test_setup(one_slow_yield_opens_a_window, ranks_on_one_core),
        cmocka_unit_test_setup(quick_yields_between_are_no_loss, ranks_on_one_core),
        cmocka_unit_test_setup(ranks_of_this_core_have_run, ranks_on_one_core),
        cmocka_unit_test_setup(all_ranks_had_the_cores, ranks_on_one_core),
        cmocka_unit_test_setup(ranks_in_other_containers_do_not_count, ranks_on_one_core),
        cmocka_unit_test_setup(a_rank_may_end_within_a_window, ranks_on_one_core),
        cmocka_unit_test_setup(ranks_of_connected_jobs_have_run, ranks_on_one_core),
    };

    return UNIT_RUN_BETWEEN(tests, setup, fake_teardown);
}
