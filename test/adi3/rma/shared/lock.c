/* lock.c — the locks of windows: readers and writers exclude each other, in the order of
 * arrival; a process that waits is woken; a death ends a wait. */
#include <errno.h>
#include <string.h>
#include "rma/rma_lock.h"

enum { REST = 512, MS = 1000000 };

static int steps(void) { return test_size(6000, 20000); }

/* ---- the words alone ------------------------------------------------------------------------- */

static struct adi3_win *w;
static struct rma_lock *lock; /* of rank 0 */

static bool served(uint32_t ticket, enum rma_kind kind)
{
    return rma_lock_served(w, lock, ticket, kind);
}

static void fresh(void)
{
    w = rma_shared_window();
    lock = &w->memory->control[0].lock;
}

static void check_free(const struct rma_lock *l)
{
    assert_int_equal(l->users, l->read);
    assert_int_equal(l->users, l->write);
    assert_int_equal(l->inside, 0);
}

static void goes_in_the_order_of_arrival(void **state)
{
    (void) state;
    fresh();
    uint32_t a = rma_lock_take(lock), b = rma_lock_take(lock), c = rma_lock_take(lock),
             d = rma_lock_take(lock), e = rma_lock_take(lock);
    assert_false(served(b, RMA_READS));
    assert_true(served(a, RMA_READS));
    assert_false(served(c, RMA_WRITES));
    assert_true(served(b, RMA_READS));  /* together with a */
    assert_false(served(d, RMA_READS)); /* behind the writer */
    rma_lock_release(w, lock, RMA_READS);
    assert_false(served(c, RMA_WRITES));
    rma_lock_release(w, lock, RMA_READS);
    assert_false(served(d, RMA_READS));
    assert_false(served(e, RMA_WRITES));
    assert_true(served(c, RMA_WRITES));
    assert_false(served(d, RMA_READS));
    rma_lock_release(w, lock, RMA_WRITES);
    assert_true(served(d, RMA_READS));
    assert_false(served(e, RMA_WRITES));
    rma_lock_release(w, lock, RMA_READS);
    assert_true(served(e, RMA_WRITES));
    rma_lock_release(w, lock, RMA_WRITES);
    check_free(lock);
}

static void joins_before_writers_that_wait(void **state)
{
    (void) state;
    fresh();
    uint32_t a = rma_lock_take(lock), b = rma_lock_take(lock);
    assert_true(served(a, RMA_READS));
    assert_false(served(b, RMA_WRITES));
    assert_true(served(0, RMA_JOINS));
    rma_lock_release(w, lock, RMA_READS);
    assert_false(served(b, RMA_WRITES)); /* one is inside still */
    assert_true(served(0, RMA_JOINS));
    rma_lock_release(w, lock, RMA_JOINS);
    assert_false(served(b, RMA_WRITES));
    rma_lock_release(w, lock, RMA_JOINS);
    assert_true(served(b, RMA_WRITES));
    assert_false(served(0, RMA_JOINS));
    assert_false(served(0, RMA_JOINS));
    rma_lock_release(w, lock, RMA_WRITES);
    assert_true(served(0, RMA_JOINS));
    rma_lock_release(w, lock, RMA_JOINS);
    check_free(lock);
}

/* Tickets are numbers of 32 bits that begin again. */
static void counts_beyond_its_numbers(void **state)
{
    (void) state;
    fresh();
    lock->users = lock->read = lock->write = UINT32_MAX - 20;
    for (int i = 0; i < 50; i++) {
        enum rma_kind kind = i % 3 ? RMA_READS : RMA_WRITES;
        assert_true(served(rma_lock_take(lock), kind));
        rma_lock_release(w, lock, kind);
    }
    check_free(lock);
}

/* ---- many processes -------------------------------------------------------------------------- */

static uint64_t random_state;

static uint32_t random_below(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t) ((random_state >> 32) * below >> 32);
}

/* With the lock of `owner`: what the others must not see in between. */
static void use(int owner, bool writes)
{
    struct rma_ground *g = rma_ground;
    uint64_t a = g->of[owner].a;

    if (writes)
        CHECK(atomic_fetch_add(&g->of[owner].writers, 1) == 0 && g->of[owner].readers == 0);
    else
        CHECK(atomic_fetch_add(&g->of[owner].readers, 1) >= 0 && g->of[owner].writers == 0);
    if (writes)
        g->of[owner].a = a + 1;
    if (random_below(REST) == 0)
        os_sleep_ns(random_below(60000));
    CHECK(g->of[owner].a == a + writes && g->of[owner].b == a);
    if (writes)
        g->of[owner].b = a + 1;
    g->of[owner].writes += writes;
    CHECK(g->of[owner].b == a + writes);
    (void) atomic_fetch_sub(writes ? &g->of[owner].writers : &g->of[owner].readers, 1);
}

/* Each takes locks of two processes at random: at times both, and then the second one joins. */
static void works(void *arg)
{
    int me = *(int *) arg;

    rma_become(me);
    random_state = 88172645463325252u + (uint64_t) me * 1000003;
    rma_await(1);
    for (int i = steps(); i > 0; i--) {
        int owner = (int) random_below(2);
        enum rma_kind kind = random_below(3) ? RMA_READS : RMA_WRITES;
        struct rma_control *c = w->memory->control;
        CHECK(rma_lock_wait(w, &c[owner], kind) == MPI_SUCCESS);
        use(owner, kind == RMA_WRITES);
        if (kind == RMA_READS && random_below(4) == 0) {
            CHECK(rma_lock_wait(w, &c[!owner], RMA_JOINS) == MPI_SUCCESS);
            use(!owner, false);
            rma_lock_drop(w, &c[!owner], RMA_JOINS);
        }
        rma_lock_drop(w, &c[owner], kind);
    }
    CHECK(fake_counter("progress_sleeps_late") == 0); /* each sleeper was woken */
}

static void run_all(bool fences)
{
    pid_t pid[RMA_PROCESSES];
    int index[RMA_PROCESSES];

    fresh();
    adi3_node.fences = fences;
    for (int i = 0; i < RMA_PROCESSES; i++) {
        index[i] = i;
        pid[i] = unit_fork(works, &index[i]);
    }
    rma_step(1);
    for (int i = 0; i < RMA_PROCESSES; i++)
        assert_true(unit_ended_well(pid[i]));
    adi3_node.fences = false;
    for (int i = 0; i < RMA_PROCESSES; i++) {
        check_free(&w->memory->control[i].lock);
        assert_int_equal(w->memory->control[i].tickets, 0);
        assert_int_equal(w->memory->control[i].waits, 0);
        assert_int_equal(rma_ground->of[i].a, rma_ground->of[i].writes);
    }
    assert_in_range(rma_ground->of[0].writes, steps() / 2, steps() * RMA_PROCESSES);
}

static void writers_are_alone(void **state)
{
    (void) state;
    run_all(false);
    run_all(true);
}

/* Two readers of their own locks, each of which reads at the other, and a writer for each. */
static void reads_at_the_other(void *arg)
{
    int me = *(int *) arg, writer = me >= 2;
    struct rma_control *c = w->memory->control;

    rma_become(me);
    if (writer) {
        rma_await(2);
        CHECK(rma_lock_wait(w, &c[me - 2], RMA_WRITES) == MPI_SUCCESS);
        rma_lock_drop(w, &c[me - 2], RMA_WRITES);
        return;
    }
    CHECK(rma_lock_wait(w, &c[me], RMA_READS) == MPI_SUCCESS);
    (void) atomic_fetch_add(&rma_ground->step, 1);
    while (c[0].lock.users + c[1].lock.users < 4)
        os_yield();
    CHECK(rma_lock_wait(w, &c[!me], RMA_JOINS) == MPI_SUCCESS);
    rma_lock_drop(w, &c[!me], RMA_JOINS);
    rma_lock_drop(w, &c[me], RMA_READS);
}

static void shared_locks_never_block_each_other(void **state)
{
    int index[4];
    pid_t pid[4];

    (void) state;
    fresh();
    for (int i = 0; i < 4; i++) {
        index[i] = i;
        pid[i] = unit_fork(reads_at_the_other, &index[i]);
    }
    for (int i = 0; i < 4; i++)
        assert_true(unit_ended_well(pid[i]));
}

/* Two readers that sleep behind a writer read together: the first does not give up its lock before
 * the second has its own. */
static void reads_together(void *arg)
{
    rma_become(*(int *) arg);
    CHECK(rma_lock_wait(w, &w->memory->control[0], RMA_READS) == MPI_SUCCESS);
    (void) atomic_fetch_add(&rma_ground->step, 1);
    rma_await(2);
    CHECK(fake_counter("progress_sleeps_late") == 0);
    rma_lock_drop(w, &w->memory->control[0], RMA_READS);
}

static void readers_that_slept_read_together(void **state)
{
    int index[] = { 1, 2 };
    pid_t pid[2];

    (void) state;
    fresh();
    uint32_t ticket = rma_lock_take(lock);
    assert_true(served(ticket, RMA_WRITES));
    for (int i = 0; i < 2; i++)
        pid[i] = unit_fork(reads_together, &index[i]);
    while (!w->memory->control[1].waits || !w->memory->control[2].waits)
        os_yield();
    os_sleep_ns(20 * MS); /* they sleep */
    rma_lock_release(w, lock, RMA_WRITES);
    for (int i = 0; i < 2; i++)
        assert_true(unit_ended_well(pid[i]));
}

/* ---- deaths ---------------------------------------------------------------------------------- */

static void holds_or_waits(void *arg)
{
    int me = *(int *) arg;

    rma_become(me);
    if (rma_lock_wait(w, &w->memory->control[0], RMA_WRITES) == MPI_SUCCESS) {
        rma_step(1);
        for (;;)
            os_sleep_ns(MS);
    }
}

static void finds_it_dead(void *arg)
{
    int me = *(int *) arg;

    rma_become(me);
    rma_step(2);
    int err = rma_lock_wait(w, &w->memory->control[0], me % 2 ? RMA_JOINS : RMA_READS);
    CHECK((err & ADI3_CLASS_MASK) == MPI_ERR_OTHER);
    CHECK(strstr(adi3_error_text(err), rma_ground->of[4].a == 1
                                           ? "rank 1 of window 'halo' on host "
                                           : "rank 2 of window 'halo' on host "));
}

static void a_dead_holder_ends_the_wait(void **state)
{
    int holder = 1, waiters[] = { 3, 4 };

    (void) state;
    for (int i = 0; i < 2; i++) {
        fresh();
        rma_ground->of[4].a = 1;
        pid_t pid = unit_fork(holds_or_waits, &holder);
        rma_await(1);
        pid_t waits = unit_fork(finds_it_dead, &waiters[i]);
        rma_await(2);
        os_sleep_ns(20 * MS); /* it sleeps */
        unit_kill(pid);
        assert_true(unit_ended_well(waits));
    }
}

static void a_dead_waiter_ends_the_wait(void **state)
{
    int holder = 1, dies = 2, waits = 4;

    (void) state;
    fresh();
    pid_t pid[3] = { unit_fork(holds_or_waits, &holder) };
    rma_await(1);
    pid[1] = unit_fork(holds_or_waits, &dies);
    while (lock->users < 2)
        os_yield();
    pid[2] = unit_fork(finds_it_dead, &waits);
    rma_await(2);
    os_sleep_ns(20 * MS);
    unit_kill(pid[1]);
    assert_true(unit_ended_well(pid[2]));
    unit_kill(pid[0]);
}

/* ---- origins on other nodes ------------------------------------------------------------------ */

static struct rma_target far[4] = { { .rank = 0 }, { .rank = 1 }, { .rank = 2 }, { .rank = 3 } };

static void fresh_far(void)
{
    fresh();
    w->memory->count = 1;
    w->next = NULL;
    rma_nsent = 0;
}

static void check_granted(int rank)
{
    assert_int_equal(rma_nsent, 1);
    assert_int_equal(rma_sent[0].rank, rank);
    assert_int_equal(rma_sent[0].sync, RMA_SYNC_LOCKED);
    assert_int_equal(rma_sent[0].fields.errclass, MPI_SUCCESS);
    rma_nsent = 0;
}

static void a_lost_origin_is_passed_over(void **state)
{
    (void) state;
    fresh_far();
    assert_int_equal(rma_lock_asked(w, &far[1], RMA_WRITES), MPI_SUCCESS);
    check_granted(1);
    assert_int_equal(rma_lock_asked(w, &far[2], RMA_READS), MPI_SUCCESS);
    assert_int_equal(rma_lock_asked(w, &far[3], RMA_WRITES), MPI_SUCCESS);
    assert_int_equal(w->memory->control[0].tickets, 3);
    adi3_poll();
    assert_int_equal(rma_nsent, 0);
    rma_lock_origin_lost(w, &far[2]);
    assert_int_equal(w->memory->control[0].tickets, 3); /* its turn has not come */
    rma_lock_given_up(w, &far[1]);
    adi3_poll();
    check_granted(3);
    assert_int_equal(w->memory->control[0].waits, 0);
    rma_lock_origin_lost(w, &far[3]); /* while it has the lock */
    assert_int_equal(w->memory->control[0].tickets, 0);
    check_free(lock);
}

static void an_origin_cannot_ask_twice(void **state)
{
    (void) state;
    fresh_far();
    assert_int_equal(fake_class(rma_lock_asked(w, &far[1], RMA_JOINS + 1)), MPI_ERR_OTHER);
    assert_int_equal(rma_lock_asked(w, &far[1], RMA_JOINS), MPI_SUCCESS);
    check_granted(1);
    assert_int_equal(fake_class(rma_lock_asked(w, &far[1], RMA_READS)), MPI_ERR_OTHER);
    rma_lock_given_up(w, &far[2]); /* it has none */
    rma_lock_given_up(w, &far[1]);
    rma_lock_given_up(w, &far[1]);
    check_free(lock);
}

static void what_waits_ends_with_its_window(void **state)
{
    (void) state;
    fresh_far();
    assert_int_equal(rma_lock_asked(w, &far[1], RMA_WRITES), MPI_SUCCESS);
    assert_int_equal(rma_lock_asked(w, &far[2], RMA_WRITES), MPI_SUCCESS);
    rma_lock_free(w);
    assert_null(far[2].ticket);
    assert_int_equal(progress_wanted, 0);
    rma_lock_given_up(w, &far[1]);
}

static void holds_for_a_while(void *arg)
{
    rma_become(*(int *) arg);
    CHECK(rma_lock_wait(w, &w->memory->control[0], RMA_WRITES) == MPI_SUCCESS);
    rma_step(1);
    os_sleep_ns(50 * MS);
    rma_lock_drop(w, &w->memory->control[0], RMA_WRITES);
}

static void serves_origins(void *arg)
{
    struct adi3_wait wait = { .on = w };

    rma_become(*(int *) arg);
    CHECK(rma_lock_asked(w, &far[2], RMA_READS) == MPI_SUCCESS);
    while (!rma_nsent)
        adi3_wait_turn(&wait);
    CHECK(rma_sent[0].fields.errclass == (rma_ground->of[4].a ? MPI_ERR_OTHER : MPI_SUCCESS));
    CHECK(fake_counter("progress_sleeps_late") == 0);
}

/* The owner sleeps in any call, and is woken when its lock is given up; or learns of the death. */
static void the_owner_is_woken_for_an_origin(void **state)
{
    int holder = 1, owner = 0;

    (void) state;
    for (int dies = 0; dies < 2; dies++) {
        fresh();
        rma_nsent = 0;
        rma_ground->of[4].a = (uint64_t) dies;
        pid_t pid[2] = { unit_fork(dies ? holds_or_waits : holds_for_a_while, &holder) };
        rma_await(1);
        pid[1] = unit_fork(serves_origins, &owner);
        os_sleep_ns(20 * MS);
        if (dies)
            unit_kill(pid[0]);
        else
            assert_true(unit_ended_well(pid[0]));
        assert_true(unit_ended_well(pid[1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_in_the_order_of_arrival),
        cmocka_unit_test(joins_before_writers_that_wait),
        cmocka_unit_test(counts_beyond_its_numbers),
        cmocka_unit_test(writers_are_alone),
        cmocka_unit_test(shared_locks_never_block_each_other),
        cmocka_unit_test(readers_that_slept_read_together),
        cmocka_unit_test(a_dead_holder_ends_the_wait),
        cmocka_unit_test(a_dead_waiter_ends_the_wait),
        cmocka_unit_test(a_lost_origin_is_passed_over),
        cmocka_unit_test(an_origin_cannot_ask_twice),
        cmocka_unit_test(what_waits_ends_with_its_window),
        cmocka_unit_test(the_owner_is_woken_for_an_origin),
    };

    return UNIT_RUN_BETWEEN(tests, rma_setup, rma_teardown);
}
