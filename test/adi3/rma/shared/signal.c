/* signal.c — MPI_Win_post and MPI_Win_complete by counts in shared memory: said and taken, also
 * beyond the numbers that a byte has; which sleepers are woken; and what a process that waits says
 * of that. The memory is that of three processes, which are all this one. */
#include <string.h>
#include "fake.h"
#include "adi3/rma/shared/shared_impl.h"

enum { COUNT = 3, FAR = 9, MOST_TURNS = 100 }; /* processes of this node; a rank of another one */

struct side { /* a process: its window, and the other ones as its targets, by index */
    struct rma_memory memory;
    struct adi3_win w;
    struct rma_target t[COUNT];
};

static struct {
    struct rma_control control[COUNT];
    OS_ALIGNED char signals[COUNT * 2 * OS_LINE];
} shared[2];                           /* of two windows */
static struct side side[COUNT], other; /* other: process 0 in the second window */

static unsigned wakes, barriers, threads_woken, turns, wanted; /* wanted: before */
static int woken;                                              /* its index */
/* What happens in a turn of waiting: the number of the turn, from 1 on. A failure there ends the
 * program by CHECK, since what waits is on the stack and in a list. */
static int (*turn)(unsigned n);

void __wrap_rma_wake(const struct adi3_win *w, int index);
void __wrap_rma_wake(const struct adi3_win *w, int index)
{
    (void) w;
    wakes++;
    woken = index;
}

void __wrap_os_membarrier(void);
void __wrap_os_membarrier(void) { barriers++; }

void __wrap_thread_wake_waiter(struct adi3_wait *wait);
void __wrap_thread_wake_waiter(struct adi3_wait *wait)
{
    (void) wait;
    threads_woken++;
}

static struct adi3_wait *waits; /* the last that waited */

int __wrap_rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank);
int __wrap_rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank)
{
    CHECK(wait->on == w && rank >= 0 && turns < MOST_TURNS);
    waits = wait;
    return turn(++turns);
}

/* ---- three processes ------------------------------------------------------------------------- */

static void make_side(struct side *s, int window, int me)
{
    memset(s, 0, sizeof *s);
    s->memory = (struct rma_memory) { .control = shared[window].control, .count = COUNT, .me = me };
    s->w = (struct adi3_win) { .memory = &s->memory };
    for (int i = 0; i < COUNT; i++)
        s->t[i] = (struct rma_target) { .control = &s->memory.control[i],
                                        .rank = 10 * i,
                                        .index = i,
                                        .signals = rma_signals_to(&s->memory, i),
                                        .to = &rma_signals_to(&s->memory, i)->by[me],
                                        .from = &rma_signals_to(&s->memory, me)->by[i] };
}

static int setup(void **state)
{
    (void) state;
    memset(shared, 0, sizeof shared);
    for (int i = 0; i < COUNT; i++)
        make_side(&side[i], 0, i);
    make_side(&other, 1, 0);
    wakes = barriers = threads_woken = turns = 0;
    turn = NULL;
    wanted = progress_wanted;
    return 0;
}

static _Atomic uint32_t *awaits(const struct side *s)
{
    return &rma_signals_to(&s->memory, s->memory.me)->awaits;
}

/* Nothing waits, and nothing is polled for. */
static int teardown(void **state)
{
    (void) state;
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(*awaits(&side[i]), 0);
    assert_int_equal(*awaits(&other), 0);
    assert_int_equal(progress_wanted, wanted);
    return 0;
}

static void say(int from, int to, enum rma_signal_kind what)
{
    rma_signal(&side[from].w, &side[from].t[to], what);
}

static bool has(int at, int from, enum rma_signal_kind what)
{
    return rma_has_signal(&side[at].t[from], what);
}

static void take(int at, int from, enum rma_signal_kind what)
{
    rma_take_signal(&side[at].t[from], what);
}

static bool has_any(void)
{
    bool any = false;

    for (int at = 0; at < COUNT; at++)
        for (int from = 0; from < COUNT; from++)
            any |= has(at, from, RMA_SIGNAL_POST) || has(at, from, RMA_SIGNAL_COMPLETE);
    return any;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Each pair, direction and kind has its own, also the pair of a process with itself. */
static void said_to_one_process(void **state)
{
    (void) state;
    for (int from = 0; from < COUNT; from++)
        for (int to = 0; to < COUNT; to++)
            for (enum rma_signal_kind what = RMA_SIGNAL_POST; what <= RMA_SIGNAL_COMPLETE; what++) {
                assert_false(has_any());
                say(from, to, what);
                assert_true(has(to, from, what));
                assert_false(
                    has(to, from, what == RMA_SIGNAL_POST ? RMA_SIGNAL_COMPLETE : RMA_SIGNAL_POST));
                assert_true(to == from || !has(from, to, what));
                take(to, from, what);
            }
    assert_false(has_any());
}

/* A byte begins again at 0. A post may come before the complete of the round before is taken. */
static void for_more_rounds_than_a_byte_has(void **state)
{
    (void) state;
    for (int i = 0; i < 1000; i++) {
        say(1, 0, RMA_SIGNAL_POST);
        assert_true(has(0, 1, RMA_SIGNAL_POST));
        take(0, 1, RMA_SIGNAL_POST);
        say(0, 1, RMA_SIGNAL_COMPLETE);
        say(1, 0, RMA_SIGNAL_POST);
        assert_true(has(1, 0, RMA_SIGNAL_COMPLETE) && has(0, 1, RMA_SIGNAL_POST));
        take(1, 0, RMA_SIGNAL_COMPLETE);
        take(0, 1, RMA_SIGNAL_POST);
        assert_false(has_any());
    }
}

/* A process of another node says it by sync packets. */
static void syncs_of_another_node(void **state)
{
    struct rma_target t = { .rank = FAR };

    (void) state;
    assert_false(rma_has_signal(&t, RMA_SIGNAL_POST));
    assert_false(rma_has_signal(&t, RMA_SIGNAL_COMPLETE));
    t.posts = 2;
    assert_true(rma_has_signal(&t, RMA_SIGNAL_POST));
    assert_false(rma_has_signal(&t, RMA_SIGNAL_COMPLETE));
    rma_take_signal(&t, RMA_SIGNAL_POST);
    rma_take_signal(&t, RMA_SIGNAL_POST);
    assert_false(rma_has_signal(&t, RMA_SIGNAL_POST));
    t.completes = 1;
    assert_true(rma_has_signal(&t, RMA_SIGNAL_COMPLETE));
    rma_take_signal(&t, RMA_SIGNAL_COMPLETE);
    assert_false(rma_has_signal(&t, RMA_SIGNAL_COMPLETE));
    assert_true(!t.posts && !t.completes && !t.posts_taken && !t.completes_taken);
}

/* One of this node completes by a sync packet after operations by messages, and then again by a
 * count. */
static void completes_come_both_ways(void **state)
{
    struct rma_target *t = &side[0].t[1];

    (void) state;
    t->completes = 1;
    assert_true(has(0, 1, RMA_SIGNAL_COMPLETE));
    take(0, 1, RMA_SIGNAL_COMPLETE);
    assert_false(has(0, 1, RMA_SIGNAL_COMPLETE));
    say(1, 0, RMA_SIGNAL_COMPLETE);
    assert_true(has(0, 1, RMA_SIGNAL_COMPLETE));
    take(0, 1, RMA_SIGNAL_COMPLETE);
    assert_false(has_any());
    t->posts = 1; /* posts do not: this would be a mistake of the other process */
    assert_false(has(0, 1, RMA_SIGNAL_POST));
    t->posts = 0;
}

/* ---- waking ---------------------------------------------------------------------------------- */

static void wakes_what_awaits_it(void **state)
{
    (void) state;
    say(1, 0, RMA_SIGNAL_POST);
    assert_int_equal(wakes, 0);
    *awaits(&side[0]) = 2 + 1; /* for process 2 */
    say(1, 0, RMA_SIGNAL_COMPLETE);
    *awaits(&side[1]) = 1 + 1; /* what others await does not matter */
    *awaits(&side[2]) = RMA_AWAITS_SEVERAL;
    say(1, 0, RMA_SIGNAL_POST);
    assert_int_equal(wakes, 0);
    say(2, 0, RMA_SIGNAL_POST);
    assert_true(wakes == 1 && woken == 0);
    say(0, 2, RMA_SIGNAL_COMPLETE);
    assert_true(wakes == 2 && woken == 2);
    say(1, 1, RMA_SIGNAL_POST);
    assert_true(wakes == 3 && woken == 1);
    for (int i = 0; i < COUNT; i++)
        *awaits(&side[i]) = 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int await(int at, int from, enum rma_signal_kind what)
{
    return rma_await_signal(&side[at].w, &side[at].t[from], what);
}

static int no_turn(unsigned n)
{
    CHECK(n == 0);
    return MPI_SUCCESS;
}

static void what_is_there_needs_no_turn(void **state)
{
    struct rma_target far = { .rank = FAR, .posts = 1 };

    (void) state;
    turn = no_turn;
    say(1, 0, RMA_SIGNAL_POST);
    assert_int_equal(await(0, 1, RMA_SIGNAL_POST), MPI_SUCCESS);
    assert_true(has(0, 1, RMA_SIGNAL_POST)); /* it is not taken */
    take(0, 1, RMA_SIGNAL_POST);
    assert_int_equal(rma_await_signal(&side[0].w, &far, RMA_SIGNAL_POST), MPI_SUCCESS);
    assert_int_equal(far.posts, 1);
}

static int comes_in_turn_5(unsigned n)
{
    CHECK(*awaits(&side[0]) == 1 + 1);
    CHECK(!strcmp(waits->what, "MPI_Win_complete"));
    if (n == 4)
        say(1, 0, RMA_SIGNAL_POST); /* not what it waits for */
    if (n == 5)
        say(1, 0, RMA_SIGNAL_COMPLETE);
    return MPI_SUCCESS;
}

/* The process says for which one it waits while it does. */
static void waits_in_turns(void **state)
{
    (void) state;
    turn = comes_in_turn_5;
    assert_int_equal(await(0, 1, RMA_SIGNAL_COMPLETE), MPI_SUCCESS);
    assert_int_equal(turns, 5);
    assert_int_equal(wakes, 2);
    take(0, 1, RMA_SIGNAL_COMPLETE);
    take(0, 1, RMA_SIGNAL_POST);
}

static int sync_comes(unsigned n)
{
    CHECK(*awaits(&side[0]) == 0); /* it cannot be woken by shared memory */
    CHECK(!strcmp(waits->what, "MPI_Win_post"));
    side[0].t[2].posts = n == 3;
    return MPI_SUCCESS;
}

static void waits_for_a_sync(void **state)
{
    struct rma_target *t = &side[0].t[2];

    (void) state;
    t->control = NULL;
    t->signals = NULL;
    t->from = NULL;
    turn = sync_comes;
    assert_int_equal(rma_await_signal(&side[0].w, t, RMA_SIGNAL_POST), MPI_SUCCESS);
    assert_int_equal(turns, 3);
}

static int lost_in_turn_3(unsigned n)
{
    CHECK(*awaits(&side[0]) == 1 + 1);
    return n == 3 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void ends_when_the_process_is_lost(void **state)
{
    (void) state;
    turn = lost_in_turn_3;
    assert_int_equal(await(0, 1, RMA_SIGNAL_POST), MPI_ERR_OTHER);
    assert_int_equal(turns, 3);
}

/* Each turn begins another wait, as a thread that gets the lock meanwhile would do: of process 0
 * for 1, for 2, in the other window for 2, and once more for 1; they end in the other order. */
static int waits_more(unsigned n)
{
    if (n == 1) {
        CHECK(*awaits(&side[0]) == 1 + 1);
        CHECK(await(0, 2, RMA_SIGNAL_COMPLETE) == MPI_SUCCESS);
        CHECK(*awaits(&side[0]) == 1 + 1);
        say(1, 0, RMA_SIGNAL_POST);
        CHECK(progress_poll()); /* for the first one still */
    } else if (n == 2) {
        CHECK(*awaits(&side[0]) == RMA_AWAITS_SEVERAL);
        CHECK(rma_await_signal(&other.w, &other.t[2], RMA_SIGNAL_POST) == MPI_SUCCESS);
        CHECK(*awaits(&other) == 0);
        CHECK(*awaits(&side[0]) == RMA_AWAITS_SEVERAL);
        say(2, 0, RMA_SIGNAL_COMPLETE);
    } else {
        CHECK(*awaits(&other) == 2 + 1);
        CHECK(*awaits(&side[0]) == RMA_AWAITS_SEVERAL);
        rma_signals_to(&other.memory, 0)->by[2].posts++;
    }
    return MPI_SUCCESS;
}

static void several_wait(void **state)
{
    (void) state;
    turn = waits_more;
    assert_int_equal(await(0, 1, RMA_SIGNAL_POST), MPI_SUCCESS);
    assert_int_equal(turns, 3);
    assert_int_equal(wakes, 2);
}

/* A poll of the process, perhaps by another thread, ends the sleep of the one that waits: once. */
static int polled(unsigned n)
{
    CHECK(!progress_poll());
    if (n < 3)
        return MPI_SUCCESS;
    say(1, 0, RMA_SIGNAL_POST);
    CHECK(progress_poll());
    CHECK(threads_woken == 1);
    CHECK(!progress_poll());
    CHECK(threads_woken == 1);
    return MPI_SUCCESS;
}

static void a_poll_ends_the_sleep(void **state)
{
    (void) state;
    turn = polled;
    assert_int_equal(await(0, 1, RMA_SIGNAL_POST), MPI_SUCCESS);
    assert_int_equal(turns, 3);
    assert_false(progress_poll());
    assert_int_equal(threads_woken, 1);
}

/* Where a thread of the library may be about to sleep it has to see what this one has written. */
static void a_barrier_where_there_are_locks(void **state)
{
    (void) state;
    turn = lost_in_turn_3;
    assert_int_equal(await(0, 1, RMA_SIGNAL_POST), MPI_ERR_OTHER);
    assert_int_equal(barriers, 0);
    adi3_locks = true;
    adi3_lock();
    turns = 0;
    int err = await(0, 1, RMA_SIGNAL_POST);
    adi3_unlock();
    adi3_locks = false;
    assert_int_equal(err, MPI_ERR_OTHER);
    assert_int_equal(barriers, 1);
}

/* ---- a node of many processes ---------------------------------------------------------------- */

enum { MANY = RMA_SIGNALS_MOST + 6 };

static struct {
    struct rma_control control[MANY];
    OS_ALIGNED char signals[MANY][(RMA_SIGNALS_MOST + 16) * sizeof(struct rma_signal)];
} many;

static struct rma_memory memory_of_many(int me)
{
    return (struct rma_memory) { .control = many.control, .count = MANY, .me = me };
}

/* What process `from` says to process 0, at a place that it takes if there is one. */
static bool says_to_first(int from, struct rma_target *at_first)
{
    struct rma_memory m = memory_of_many(from);
    struct adi3_win w = { .memory = &m };
    struct rma_target t = { .control = many.control, .signals = rma_signals_to(&m, 0) };

    rma_signal_prepare(&w, &t);
    const struct rma_signal *first = t.to;
    rma_signal_prepare(&w, &t);
    assert_ptr_equal(t.to, first);
    assert_false(rma_has_signal(at_first, RMA_SIGNAL_POST));
    if (!t.to)
        return false;
    rma_signal(&w, &t, RMA_SIGNAL_POST);
    rma_signal(&w, &t, RMA_SIGNAL_COMPLETE);
    return true;
}

/* Those that come first have a place, whatever their index is; the others send sync packets. */
static void places_for_those_that_say_something(void **state)
{
    struct rma_memory m = memory_of_many(0);
    int places = 0;

    (void) state;
    memset(&many, 0, sizeof many);
    for (int i = MANY - 1; i > 0; i--) {
        struct rma_target t = { .control = &many.control[i],
                                .index = i,
                                .own_signals = rma_signals_to(&m, 0) };
        if (says_to_first(i, &t))
            places++;
        else
            t.posts = t.completes = 1;
        assert_int_equal(t.posts, places < RMA_SIGNALS_MOST || i >= MANY - places ? 0 : 1);
        for (enum rma_signal_kind k = RMA_SIGNAL_POST; k <= RMA_SIGNAL_COMPLETE; k++) {
            assert_true(rma_has_signal(&t, k));
            rma_take_signal(&t, k);
            assert_false(rma_has_signal(&t, k));
        }
    }
    assert_int_equal(places, RMA_SIGNALS_MOST);
}

static void signals_grow_with_processes(void **state)
{
    (void) state;
    assert_int_equal(rma_signals_len(2), OS_LINE);
    assert_int_equal(rma_signals_len(RMA_SIGNALS_MOST), OS_LINE + 4 * RMA_SIGNALS_MOST);
    assert_int_equal(rma_signals_len(1000), rma_signals_len(RMA_SIGNALS_MOST));
}

/* The row is there already: the library has added it. */
static void one_source_of_progress(void **state)
{
    (void) state;
    for (int i = 0; i < PROGRESS_SOURCES_MAX; i++)
        assert_int_equal(rma_signal_init(), MPI_SUCCESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(said_to_one_process),
        TEST(for_more_rounds_than_a_byte_has),
        TEST(syncs_of_another_node),
        TEST(completes_come_both_ways),
        TEST(wakes_what_awaits_it),
        TEST(what_is_there_needs_no_turn),
        TEST(waits_in_turns),
        TEST(waits_for_a_sync),
        TEST(ends_when_the_process_is_lost),
        TEST(several_wait),
        TEST(a_poll_ends_the_sleep),
        TEST(a_barrier_where_there_are_locks),
        TEST(places_for_those_that_say_something),
        TEST(signals_grow_with_processes),
        TEST(one_source_of_progress),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
