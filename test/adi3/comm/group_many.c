/* group_many.c — groups of 10^5 members, which no program of a test can have: all takes
 * milliseconds.
 *
 * With GROUP_TIMES in the environment it prints how many. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "adi3/adi3.h"
#include "adi3/comm/comm_impl.h"
#include "unit.h"

enum { MANY = 100000 };

static void shuffle(int n, int *list)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int) unit_random((uint32_t) i + 1), t = list[i];
        list[i] = list[j];
        list[j] = t;
    }
}

static struct adi3_group *group_of(int size, const int *member)
{
    int *list = malloc((size_t) size * sizeof *list + 1);

    assert_non_null(list);
    if (size)
        memcpy(list, member, (size_t) size * sizeof *list);
    struct adi3_group *g = adi3_group_make(size, list);
    assert_non_null(g);
    return g;
}

static double cpu_ms(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec * 1e-6;
}

/* Many members from a row of numbers: in the row's order, or shuffled. */
static struct adi3_group *many(int first, int stride, bool shuffled)
{
    static int list[MANY];

    for (int i = 0; i < MANY; i++)
        list[i] = first + i * stride;
    if (shuffled)
        shuffle(MANY, list);
    struct adi3_group *g = group_of(MANY, list);
    assert_true(!g->member == !shuffled);
    return g;
}

static const struct form {
    const char *name;
    int first, stride;
    bool shuffled;
} forms[] = {
    { "row", 0, 1, false },
    { "every 3rd", 5, 3, false },
    { "backwards", MANY, -1, false },
    { "list", 3, 1, true },
    { "list of every 2nd", 0, 2, true },
    { "list far apart", 7, 21011, true },
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Each a hundredth of what a quadratic algorithm would take at least; and it is milliseconds. */
enum { LIMIT_MS = 100 };

static double timed(const char *what, const struct form *a, const struct form *b, double start)
{
    double ms = cpu_ms() - start;

    if (getenv("GROUP_TIMES"))
        (void) printf("%-14s %-18s %-18s %.3f ms\n", what, a->name, b->name, ms);
    assert_true(ms < LIMIT_MS);
    return cpu_ms();
}

static void two_of_many(const struct form *a, const struct form *b)
{
    static int ranks[MANY], result[MANY];
    struct adi3_group *g[3], *p = many(a->first, a->stride, a->shuffled);
    struct adi3_group *q = many(b->first, b->stride, b->shuffled);
    int equal, sum = 0;

    for (int i = 0; i < MANY; i++)
        ranks[i] = MANY - 1 - i;
    double t = cpu_ms();
    assert_int_equal(adi3_group_translate(p, MANY, ranks, q, result), MPI_SUCCESS);
    t = timed("translate", a, b, t);
    assert_int_equal(adi3_group_translate(p, MANY, ranks, q, result), MPI_SUCCESS);
    t = timed("and again", a, b, t);
    assert_int_equal(adi3_group_compare(p, q, &equal), MPI_SUCCESS);
    t = timed("compare", a, b, t);
    g[0] = adi3_group_union(p, q);
    t = timed("union", a, b, t);
    g[1] = adi3_group_intersection(p, q);
    t = timed("intersection", a, b, t);
    g[2] = adi3_group_difference(p, q);
    (void) timed("difference", a, b, t);
    for (int i = 0; i < MANY; i++) {
        sum += result[i] >= 0;
        if (result[i] >= 0)
            assert_int_equal(adi3_group_process(q, result[i]), adi3_group_process(p, ranks[i]));
    }
    assert_int_equal(g[0]->size, 2 * MANY - sum);
    assert_int_equal(g[1]->size, sum);
    assert_int_equal(g[2]->size, MANY - sum);
    assert_int_equal(equal == MPI_UNEQUAL, sum < MANY);
    for (int i = 0; i < 3; i++)
        adi3_group_release(g[i]);
    adi3_group_release(p);
    adi3_group_release(q);
}

static void many_members_take_milliseconds(void **state)
{
    (void) state;
    for (int a = 0; a < FORMS; a++)
        for (int b = 0; b < FORMS; b++)
            two_of_many(&forms[a], &forms[b]);
}

static void many_ranks_take_milliseconds(void **state)
{
    static int ranks[MANY], range[MANY / 10][3];
    struct adi3_group *g[4];

    (void) state;
    for (int i = 0; i < MANY; i++)
        ranks[i] = i;
    shuffle(MANY, ranks);
    for (int i = 0; i < MANY / 10; i++)
        memcpy(range[i], (int[]) { 10 * i + 9, 10 * i, -2 }, sizeof range[i]);
    for (int f = 0; f < FORMS; f++) {
        struct adi3_group *p = many(forms[f].first, forms[f].stride, forms[f].shuffled);
        double t = cpu_ms();
        g[0] = adi3_group_incl(p, MANY, ranks);
        t = timed("incl", &forms[f], &forms[f], t);
        g[1] = adi3_group_excl(p, MANY / 2, ranks);
        t = timed("excl", &forms[f], &forms[f], t);
        g[2] = adi3_group_range_incl(p, MANY / 10, range);
        t = timed("range_incl", &forms[f], &forms[f], t);
        g[3] = adi3_group_range_excl(p, MANY / 10, range);
        (void) timed("range_excl", &forms[f], &forms[f], t);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(g[i]->size, i ? MANY / 2 : MANY);
            adi3_group_release(g[i]);
        }
        adi3_group_release(p);
    }
}

/* The last of the numbers that the table must spread: members in rows of every power of two, and of
 * those strides that multiples of the golden ratio bring closest together. */
static void no_stride_is_slow(void **state)
{
    static const int strides[] = { 4096, 8192, 10946, 17711, 28657, 28656, 1 << 14, 46368 };
    enum { N = 40000 };
    static int list[N];

    (void) state;
    for (int s = 0; s < 8; s++) {
        for (int i = 0; i < N; i++)
            list[i] = i * strides[s];
        shuffle(N, list);
        struct adi3_group *p = group_of(N, list), *q = adi3_group_strided(N, 0, strides[s]);
        int result = 0;
        double t = cpu_ms();
        struct adi3_group *both = adi3_group_intersection(q, p);
        (void) timed("strides", &forms[4], &forms[5], t);
        assert_int_equal(both->size, N);
        assert_int_equal(adi3_group_compare(p, q, &result), MPI_SUCCESS);
        assert_int_equal(result, MPI_SIMILAR);
        adi3_group_release(both);
        adi3_group_release(p);
        adi3_group_release(q);
    }
}

int main(void)
{
    adi3_job.size = INT_MAX; /* all numbers are of our job */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_members_take_milliseconds),
        cmocka_unit_test(many_ranks_take_milliseconds),
        cmocka_unit_test(no_stride_is_slow),
    };

    return UNIT_RUN(tests);
}
