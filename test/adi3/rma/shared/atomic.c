/* atomic.c — atomic operations of several processes on the same memory lose nothing: single
 * elements, long vectors, unaligned elements, pairs, and by CMA; and the death of a process ends
 * the waits of the others with an error. */
#include <float.h>
#include <string.h>
#include "shared_window.h"

enum { LONGS = 2048, SOME = 500 };
static int singles, most_turns; /* set in main() */
/* Of an x87 number 6 of 16 bytes are padding. */
enum { LONG_DOUBLE_BYTES = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double) };

static struct adi3_type *type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

/* How much this process has added to the element i. */
static int64_t *added(int process)
{
    return (int64_t *) (void *) window.counts + process * (WINDOW_COUNTS / 8 / 8);
}

static int64_t added_by_all(int i)
{
    int64_t sum = 0;

    for (int p = 0; p < window.memory.count; p++)
        sum += added(p)[i];
    return sum;
}

/* ---- singles and longs ----------------------------------------------------------------------- */

/* Elements of one kind at a place in the memory of process 1. */
struct kind {
    MPI_Datatype type;
    size_t at;
    bool is_private;
    unsigned fences; /* processes without membarrier(), as bits */
};

static double value_of(const struct kind *k, const char *at)
{
    double d;
    float f;
    int64_t i;
    long double l;

    switch (k->type) {
    case MPI_DOUBLE:
    case MPI_C_DOUBLE_COMPLEX:
        memcpy(&d, at, sizeof d);
        return d;
    case MPI_C_COMPLEX:
        memcpy(&f, at, sizeof f);
        return f;
    case MPI_LONG_DOUBLE:
        memcpy(&l, at, sizeof l);
        return (double) l;
    default:
        memcpy(&i, at, sizeof i);
        return (double) i;
    }
}

static void ones(const struct kind *k, char *to, int n)
{
    double d[2] = { 1, 1 };
    float f[2] = { 1, 1 };
    int64_t i = 1;
    long double l = 1;
    size_t size = type(k->type)->size;
    const void *one = k->type == MPI_DOUBLE || k->type == MPI_C_DOUBLE_COMPLEX ? (void *) d
                      : k->type == MPI_C_COMPLEX                               ? (void *) f
                      : k->type == MPI_LONG_DOUBLE                             ? (void *) &l
                                                                               : (void *) &i;

    memset(to, 0, (size_t) n * size);
    for (int j = 0; j < n; j++)
        memcpy(to + (size_t) j * size, one, k->type == MPI_LONG_DOUBLE ? LONG_DOUBLE_BYTES : size);
}

static char *elements(const struct kind *k)
{
    return (k->is_private ? window_private : window_part(0)) + k->at;
}

/* Adds to single elements, to a few, and to all of them, at random. */
static void adds(void *arg)
{
    const struct kind *k = arg;
    struct adi3_type *t = type(k->type);
    struct rma_place p = window_place(0);
    char in[LONGS * 32 / 2], old[LONGS * 32 / 2];
    int most = (int) ((WINDOW_BYTES - 4096) / 2 / t->size);
    int turns = k->is_private && window.memory.me ? most_turns / 8 : most_turns;

    most = most < LONGS ? most : LONGS;
    adi3_node.fences = k->fences >> window.memory.me & 1;
    ones(k, in, most);
    window_start_together();
    for (int turn = 0; turn < turns; turn++) {
        uint32_t which = unit_random(16);
        int n = which ? 1 : unit_random(2) ? most : SOME;
        int first = which < 8 ? (int) unit_random((uint32_t) (most - n + 1)) : 0;
        CHECK(!window_do(&p, elements(k) + (size_t) first * t->size, t, (size_t) n, MPI_SUM, in,
                         which % 2 ? old : NULL));
        for (int i = first; i < first + n; i++)
            added(window.memory.me)[i]++;
    }
}

static void lose_nothing(struct kind k)
{
    struct adi3_type *t = type(k.type);

    memset(window.counts, 0, WINDOW_COUNTS);
    memset(window_part(0), 0, WINDOW_BYTES);
    memset(window_private, 0, WINDOW_BYTES);
    if (k.is_private)
        window_make_private(0, window_private);
    assert_true(window_run(adds, &k));
    int most = (int) ((WINDOW_BYTES - 4096) / 2 / t->size);
    for (int i = 0; i < most && i < LONGS; i++) {
        double sum = value_of(&k, elements(&k) + (size_t) i * t->size);
        if (sum != (double) added_by_all(i))
            fail_msg("%s at %zu: element %d is %.0f instead of %lld", t->name, k.at, i, sum,
                     (long long) added_by_all(i));
    }
}

static void integers(void **state)
{
    (void) state;
    lose_nothing((struct kind) { MPI_INT64_T, 0, false, 0 });
}

static void floats(void **state)
{
    (void) state;
    lose_nothing((struct kind) { MPI_DOUBLE, 0, false, 0 });
}

static void without_membarrier(void **state)
{
    (void) state;
    lose_nothing((struct kind) { MPI_DOUBLE, 0, false, 15 });
    lose_nothing((struct kind) { MPI_DOUBLE, 0, false, 5 }); /* some processes have it */
}

static void unaligned(void **state)
{
    (void) state;
    lose_nothing((struct kind) { MPI_DOUBLE, 3, false, 0 });
}

static void complex_numbers(void **state)
{
    (void) state;
    lose_nothing((struct kind) { MPI_C_COMPLEX, 4, false, 0 });
}

static void wide_ones(void **state)
{
    (void) state;
    lose_nothing((struct kind) { MPI_LONG_DOUBLE, 8, false, 0 });
}

static void by_cma(void **state)
{
    (void) state;
    if (!window_has_cma())
        skip();
    lose_nothing((struct kind) { MPI_DOUBLE, 0, true, 0 });
}

/* ---- tickets --------------------------------------------------------------------------------- */

/* Each value is fetched once; the values that a process sees grow. */
static void take_tickets(void *arg)
{
    struct rma_place p = window_place(0);
    char *at = window_part(0) + *(size_t *) arg;
    int64_t one = 1, last = -1, ticket;

    window_start_together();
    for (int i = 0; i < singles; i++) {
        CHECK(!window_do(&p, at, type(MPI_INT64_T), 1, MPI_SUM, &one, &ticket));
        CHECK(ticket > last && ticket < WINDOW_PROCESSES * singles);
        CHECK(window.counts[last = ticket]++ == 0);
    }
}

static void swap_tickets(void *arg)
{
    struct rma_place p = window_place(0);
    char *at = (p.owner->offset ? window_part(0) : window_private) + *(size_t *) arg;
    int turns = p.owner->offset ? singles : singles / 8;
    int64_t guess = 0, seen;

    window_start_together();
    for (int i = 0; i < turns; i++)
        for (;;) {
            int64_t next = guess + 1;
            CHECK(!rma_compare_swap(&p, at, type(MPI_INT64_T), &next, &guess, &seen));
            bool done = seen == guess;
            guess = done ? next : seen;
            if (done) {
                CHECK(window.counts[seen]++ == 0);
                break;
            }
        }
}

static void tickets(void (*taken)(void *arg), size_t at, char *part, int64_t each)
{
    int64_t last;

    memset(window.counts, 0, WINDOW_COUNTS);
    memset(part, 0, WINDOW_BYTES);
    assert_true(window_run(taken, &at));
    memcpy(&last, part + at, sizeof last);
    assert_int_equal(last, WINDOW_PROCESSES * each);
}

static void each_ticket_once(void **state)
{
    (void) state;
    tickets(take_tickets, 8, window_part(0), singles);
    tickets(take_tickets, 253, window_part(0), singles); /* across two stripes */
    tickets(swap_tickets, 16, window_part(0), singles);
    tickets(swap_tickets, 1, window_part(0), singles);
}

static void each_ticket_once_by_cma(void **state)
{
    (void) state;
    if (!window_has_cma())
        skip();
    window_make_private(0, window_private);
    tickets(swap_tickets, 8, window_private, singles / 8);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

struct pair {
    double value;
    int index;
};

enum { PAIRS = 40, PAIR_SIZE = sizeof(double) + sizeof(int) };

/* Both members of a pair are the same in every process, and the largest pair stays. */
static void race(void *arg)
{
    struct rma_place p = window_place(0);
    struct adi3_type *t = type(MPI_DOUBLE_INT);
    char *base = (p.owner->offset ? window_part(0) : window_private) + 100;
    int turns = p.owner->offset ? most_turns : most_turns / 8;

    (void) arg;
    window_start_together();
    for (int i = 1; i <= turns; i++) {
        int best = i * WINDOW_PROCESSES + window.memory.me, n = (int) unit_random(PAIRS);
        char in[PAIR_SIZE], old[PAIR_SIZE];
        double value = best;
        int index;

        memcpy(in, &value, sizeof value);
        memcpy(in + sizeof value, &best, sizeof best);
        char *at = base + (size_t) n * sizeof(struct pair);
        bool writes = i % 4 > 0;
        CHECK(!window_do(&p, at, t, 1, writes ? MPI_MAXLOC : MPI_NO_OP, in, old));
        memcpy(&value, old, sizeof value);
        memcpy(&index, old + sizeof value, sizeof index);
        CHECK(value == index);
        int64_t *most = &added(window.memory.me)[n];
        CHECK(index >= *most);
        *most = writes && best > index ? best : index;
    }
}

static void are_whole(const char *part)
{
    for (int n = 0; n < PAIRS; n++) {
        struct pair pair;
        int64_t most = 0;
        memcpy(&pair, part + 100 + (size_t) n * sizeof pair, sizeof pair);
        for (int i = 0; i < WINDOW_PROCESSES; i++)
            most = added(i)[n] > most ? added(i)[n] : most;
        assert_true(pair.value == pair.index && pair.index == most);
    }
}

static void pairs(void **state)
{
    (void) state;
    memset(window.counts, 0, WINDOW_COUNTS);
    memset(window_part(0), 0, WINDOW_BYTES);
    assert_true(window_run(race, NULL));
    are_whole(window_part(0));
    if (!window_has_cma())
        return;
    memset(window.counts, 0, WINDOW_COUNTS);
    memset(window_private, 0, WINDOW_BYTES);
    window_make_private(0, window_private);
    assert_true(window_run(race, NULL));
    are_whole(window_private);
}

/* ---- waits, and deaths ----------------------------------------------------------------------- */

/* FAR: long, on other pages. The bits of pages and stripes are the same. */
enum { SINGLE, LONG, FAR, STRIPE, KINDS, PAUSE_NS = 10000000, KILLS = 40 };

static const bool exclude[KINDS][KINDS] = {
    [SINGLE] = { [LONG] = true, [FAR] = true },
    [LONG] = { [SINGLE] = true, [LONG] = true, [STRIPE] = true },
    [FAR] = { [SINGLE] = true, [FAR] = true },
    [STRIPE] = { [LONG] = true, [STRIPE] = true },
};

enum { LONG_LEN = LONGS * sizeof(double) };

static size_t place_of(int kind) { return kind == STRIPE ? 3 : kind == FAR ? 2 * LONG_LEN : 0; }

struct hold {
    int held, wanted;
    bool ends; /* it does not wait to be killed */
};

static _Atomic int *step(void) { return (_Atomic int *) (void *) window.counts; }

static void hold(void *arg)
{
    const struct hold *h = arg;
    struct rma_place p = window_place(0);
    uint64_t set = h->held == STRIPE ? rma_stripes(p.owner, place_of(STRIPE), sizeof(double))
                                     : rma_pages(place_of(h->held), LONG_LEN);

    CHECK(!(h->held == SINGLE   ? rma_single_begin(&p)
            : h->held == STRIPE ? rma_stripes_take(&p, set)
                                : rma_long_begin(&p, set)));
    *step() = 1;
    os_sleep_ns(h->ends ? PAUSE_NS : UINT64_MAX / 4);
    *step() = 2;
    if (h->held == SINGLE)
        rma_busy_end(&p);
    else if (h->held == STRIPE)
        rma_stripes_release(&p, set);
    else
        rma_long_end(&p, set);
}

static int operate(int kind)
{
    static const double ones[LONGS] = { 1 };
    struct rma_place p = window_place(0);

    return window_do(&p, window_part(0) + place_of(kind), type(MPI_DOUBLE),
                     kind == LONG || kind == FAR ? LONGS : 1, MPI_SUM, ones, NULL);
}

static void operates(void *arg)
{
    const struct hold *h = arg;
    int err = operate(h->wanted);

    CHECK((err & ADI3_CLASS_MASK) == MPI_ERR_OTHER);
    CHECK(strstr(adi3_error_text(err), "rank 10 "));
    CHECK((operate(h->wanted) & ADI3_CLASS_MASK) == MPI_ERR_OTHER);
}

static pid_t start_holding(struct hold *h)
{
    *step() = 0;
    pid_t pid = window_fork(1, hold, h);
    while (*step() == 0)
        os_yield();
    return pid;
}

static void one_waits_for_the_other(void **state)
{
    (void) state;
    for (int held = 0; held < KINDS; held++)
        for (int wanted = 0; wanted < KINDS; wanted++) {
            struct hold h = { held, wanted, exclude[held][wanted] };
            pid_t pid = start_holding(&h);
            assert_int_equal(operate(wanted), MPI_SUCCESS);
            if (h.ends) {
                assert_int_equal(*step(), 2);
                assert_true(unit_ended_well(pid));
                continue;
            }
            assert_int_equal(*step(), 1);
            unit_kill(pid);
            window_drop();
            window_make(WINDOW_PROCESSES);
        }
}

static void a_death_ends_the_wait(void **state)
{
    (void) state;
    for (int held = 0; held < KINDS; held++)
        for (int wanted = 0; wanted < KINDS; wanted++) {
            struct hold h = { held, wanted, false };
            if (!exclude[held][wanted])
                continue;
            pid_t pid = start_holding(&h), waits = window_fork(2, operates, &h);
            os_sleep_ns(PAUSE_NS);
            unit_kill(pid);
            assert_true(unit_ended_well(waits));
            window_drop();
            window_make(WINDOW_PROCESSES);
        }
}

static void operates_for_ever(void *arg)
{
    (void) arg;
    for (*step() = 1;;)
        CHECK(!operate((int) unit_random(KINDS)));
}

static void a_death_at_any_moment_stops_nobody(void **state)
{
    (void) state;
    for (int i = 0; i < KILLS; i++) {
        *step() = 0;
        pid_t pid = window_fork(1, operates_for_ever, NULL);
        while (*step() == 0)
            os_yield();
        for (int n = (int) unit_random(1000); n > 0; n--)
            assert_int_equal(operate(n % KINDS), MPI_SUCCESS);
        unit_kill(pid);
        for (int n = 0; n < 2 * KINDS; n++) {
            int err = operate(n % KINDS);
            assert_true(!err || strstr(adi3_error_text(err), "rank 10 "));
        }
        window_drop();
        window_make(WINDOW_PROCESSES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(integers, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(floats, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(without_membarrier, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(unaligned, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(complex_numbers, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(wide_ones, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(by_cma, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(each_ticket_once, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(each_ticket_once_by_cma, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(pairs, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(one_waits_for_the_other, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(a_death_ends_the_wait, window_set_up, window_tear_down),
        cmocka_unit_test_setup_teardown(a_death_at_any_moment_stops_nobody, window_set_up,
                                        window_tear_down),
    };

    singles = test_size(20000, 60000);
    most_turns = test_size(30000, 100000);
    return adi3_type_init() ? 1 : UNIT_RUN(tests);
}
