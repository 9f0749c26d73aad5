/* group.c — groups against what the standard's words say, step by step (G01), and what is left of a
 * call that finds no memory. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3.h"
#include "adi3/comm/comm_impl.h"
#include "unit.h"

enum { FEW = 24, ROUNDS = 6000 };

static int allowed = -1; /* allocations that succeed before the others fail; -1: all do */
static int alive;        /* blocks of lists and indices */

void *__real_malloc(size_t len);
void *__real_calloc(size_t n, size_t len);
void __real_free(void *p);
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t n, size_t len);
void __wrap_free(void *p);

static bool refused(void)
{
    if (allowed == 0)
        return true;
    allowed -= allowed > 0;
    alive++;
    return false;
}

void *__wrap_malloc(size_t len) { return refused() ? NULL : __real_malloc(len); }
void *__wrap_calloc(size_t n, size_t len) { return refused() ? NULL : __real_calloc(n, len); }

void __wrap_free(void *p)
{
    alive -= p != NULL;
    __real_free(p);
}

/* ---- the standard's words -------------------------------------------------------------------- */

struct plain { /* members in order */
    int size, member[4 * FEW];
};

static int place(const struct plain *p, int process)
{
    for (int i = 0; i < p->size; i++)
        if (p->member[i] == process)
            return i;
    return MPI_UNDEFINED;
}

static void add(struct plain *p, int process) { p->member[p->size++] = process; }

static struct plain plain_union(const struct plain *a, const struct plain *b)
{
    struct plain p = *a;

    for (int i = 0; i < b->size; i++)
        if (place(a, b->member[i]) < 0)
            add(&p, b->member[i]);
    return p;
}

static struct plain plain_filter(const struct plain *a, const struct plain *b, bool in)
{
    struct plain p = { 0 };

    for (int i = 0; i < a->size; i++)
        if ((place(b, a->member[i]) >= 0) == in)
            add(&p, a->member[i]);
    return p;
}

static struct plain plain_incl(const struct plain *a, const struct plain *ranks)
{
    struct plain p = { 0 };

    for (int i = 0; i < ranks->size; i++)
        add(&p, a->member[ranks->member[i]]);
    return p;
}

static struct plain plain_excl(const struct plain *a, const struct plain *ranks)
{
    struct plain p = { 0 };

    for (int i = 0; i < a->size; i++)
        if (place(ranks, i) < 0)
            add(&p, a->member[i]);
    return p;
}

static int plain_compare(const struct plain *a, const struct plain *b)
{
    struct plain both = plain_filter(a, b, true);
    bool ident =
        a->size == b->size && !memcmp(a->member, b->member, (size_t) a->size * sizeof(int));

    return ident                                        ? MPI_IDENT
           : a->size == b->size && both.size == a->size ? MPI_SIMILAR
                                                        : MPI_UNEQUAL;
}

/* ---- groups ---------------------------------------------------------------------------------- */

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

static bool in_a_row(const struct plain *p)
{
    for (int i = 2; i < p->size; i++)
        if (p->member[i] - p->member[i - 1] != p->member[1] - p->member[0])
            return false;
    return true;
}

/* The group has these members, is as small as can be, and ends. */
static void is(struct adi3_group *g, const struct plain *p)
{
    assert_non_null(g);
    assert_int_equal(g->size, p->size);
    for (int i = 0; i < p->size; i++)
        assert_int_equal(adi3_group_process(g, i), p->member[i]);
    assert_int_equal(g->rank, place(p, adi3_job.rank));
    assert_true(!g->member == in_a_row(p));
    if (p->size == 0)
        assert_int_equal(adi3_group_user_acquire(g), MPI_GROUP_EMPTY);
    adi3_group_release(g);
}

static void shuffle(int n, int *list)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int) unit_random((uint32_t) i + 1), t = list[i];
        list[i] = list[j];
        list[j] = t;
    }
}

/* Rows, some of a few numbers, and some of numbers that are far apart. */
static struct plain any_members(void)
{
    static const int far[] = { 1, 2, 64, 1 << 16, 1 << 26 };
    int apart = far[unit_random(5)], list[FEW];
    struct plain p = { 0 };

    for (int i = 0; i < FEW; i++)
        list[i] =
            (i + (int) unit_random(2)) * apart; /* two of one number: the second is left out */
    if (unit_random(3))
        shuffle(FEW, list);
    int stride = 1 + (int) unit_random(3) * (int) unit_random(2);
    int first = (int) unit_random(4);
    for (int i = first; i < FEW - (int) unit_random(FEW); i += stride)
        if (place(&p, list[i]) < 0)
            add(&p, list[i]);
    for (int i = 0; unit_random(4) == 0 && i < p.size / 2; i++) { /* backwards */
        int t = p.member[i];
        p.member[i] = p.member[p.size - 1 - i];
        p.member[p.size - 1 - i] = t;
    }
    return p;
}

static struct plain any_ranks(int size)
{
    int list[4 * FEW];
    struct plain p = { .size = (int) unit_random((uint32_t) size + 1) };

    for (int i = 0; i < size; i++)
        list[i] = i;
    if (unit_random(3))
        shuffle(size, list);
    memcpy(p.member, list, (size_t) p.size * sizeof *list);
    return p;
}

/* Ranges of distinct ranks, in both directions, most of which do not end at their last. */
static int any_ranges(int size, int (*range)[3], struct plain *ranks)
{
    int n = 0;

    *ranks = (struct plain) { 0 };
    for (int tries = 0; size > 0 && tries < 6; tries++) {
        int first = (int) unit_random((uint32_t) size), stride = 1 + (int) unit_random(4);
        int last = (int) unit_random((uint32_t) size);
        struct plain more = *ranks;
        bool clash = false;
        if (last < first)
            stride = -stride;
        for (int r = first; stride > 0 ? r <= last : r >= last; r += stride) {
            clash |= place(&more, r) >= 0;
            if (!clash)
                add(&more, r);
        }
        if (clash)
            continue;
        *ranks = more;
        memcpy(range[n++], (int[]) { first, last, stride }, 3 * sizeof(int));
    }
    return n;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void sets_of(const struct plain *a, const struct plain *b)
{
    struct adi3_group *x = group_of(a->size, a->member), *y = group_of(b->size, b->member);
    struct plain u = plain_union(a, b), i = plain_filter(a, b, true), d = plain_filter(a, b, false);
    int result;

    is(adi3_group_union(x, y), &u);
    is(adi3_group_intersection(x, y), &i);
    is(adi3_group_difference(x, y), &d);
    is(adi3_group_union(x, x), a);
    is(adi3_group_difference(y, y), &(struct plain) { 0 });
    assert_int_equal(adi3_group_compare(x, y, &result), MPI_SUCCESS);
    assert_int_equal(result, plain_compare(a, b));
    adi3_group_release(x);
    adi3_group_release(y);
}

static void sets_are_as_the_standard_says(void **state)
{
    (void) state;
    for (int i = 0; i < ROUNDS; i++) {
        adi3_job.rank = (int) unit_random(FEW);
        struct plain a = any_members(), b = any_members();
        sets_of(&a, &b);
        b = a; /* in another order */
        shuffle(b.size, b.member);
        sets_of(&a, &b);
        if (b.size)
            b.member[0] = INT32_MAX - 1; /* one differs */
        sets_of(&a, &b);
    }
    adi3_job.rank = 0;
}

static void ranks_name_members(void **state)
{
    int range[6][3];

    (void) state;
    for (int i = 0; i < ROUNDS; i++) {
        struct plain a = any_members(), ranks = any_ranks(a.size);
        struct adi3_group *g = group_of(a.size, a.member);
        struct plain incl = plain_incl(&a, &ranks), excl = plain_excl(&a, &ranks);
        is(adi3_group_incl(g, ranks.size, ranks.member), &incl);
        is(adi3_group_excl(g, ranks.size, ranks.member), &excl);
        int n = any_ranges(a.size, range, &ranks);
        incl = plain_incl(&a, &ranks);
        excl = plain_excl(&a, &ranks);
        is(adi3_group_range_incl(g, n, range), &incl);
        is(adi3_group_range_excl(g, n, range), &excl);
        adi3_group_release(g);
    }
}

static void ranks_translate(void **state)
{
    (void) state;
    for (int i = 0; i < ROUNDS; i++) {
        struct plain a = any_members(), b = any_members(), ranks = any_ranks(a.size);
        struct adi3_group *x = group_of(a.size, a.member), *y = group_of(b.size, b.member);
        int result[4 * FEW];
        add(&ranks, MPI_PROC_NULL);
        shuffle(ranks.size, ranks.member);
        assert_int_equal(adi3_group_translate(x, ranks.size, ranks.member, y, result), MPI_SUCCESS);
        for (int k = 0; k < ranks.size; k++) {
            int r = ranks.member[k];
            assert_int_equal(result[k], r == MPI_PROC_NULL ? r : place(&b, a.member[r]));
        }
        assert_int_equal(adi3_group_translate(x, 0, NULL, y, NULL), MPI_SUCCESS);
        adi3_group_release(x);
        adi3_group_release(y);
    }
}

/* The ends of a range may be as far apart as integers can be, when its ranks are not. */
static void ranges_do_not_overflow(void **state)
{
    struct adi3_group *g = adi3_group_strided(5, 2, 3);
    int far[][3] = { { 1, INT32_MAX, INT32_MAX }, { 4, INT32_MIN + 5, INT32_MIN } };
    int wide[][3] = { { 4, -3, -4 } };

    (void) state;
    is(adi3_group_range_incl(g, 2, far), &(struct plain) { 2, { 5, 14 } });
    is(adi3_group_range_excl(g, 2, far), &(struct plain) { 3, { 2, 8, 11 } });
    is(adi3_group_range_incl(g, 1, wide), &(struct plain) { 2, { 14, 2 } });
    adi3_group_release(g);
}

/* A group that has been searched forgets nothing and is freed whole. */
static void many_groups_end(void **state)
{
    (void) state;
    int before = alive;
    for (int i = 0; i < 100; i++) {
        struct plain a = any_members(), b = any_members();
        sets_of(&a, &b);
    }
    assert_int_equal(alive, before);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static struct adi3_group *x, *y;
static int ranks4[] = { 3, 0, 2, 1 }, ranges2[][3] = { { 0, 1, 1 }, { 3, 2, -1 } };

static struct adi3_group *call(int what)
{
    static struct adi3_group *(*const set[])(struct adi3_group *, struct adi3_group *) = {
        adi3_group_union, adi3_group_intersection, adi3_group_difference
    };

    switch (what) {
    case 3:
        return adi3_group_incl(x, 4, ranks4);
    case 4:
        return adi3_group_excl(x, 2, ranks4);
    case 5:
        return adi3_group_range_incl(x, 2, ranges2);
    case 6:
        return adi3_group_range_excl(x, 2, ranges2);
    default:
        return set[what](x, y);
    }
}

static void asks_without_memory(void)
{
    int result[4] = { 77, 77, 77, 77 };

    allowed = 0;
    int translated = adi3_group_translate(x, 4, ranks4, y, result);
    int compared = adi3_group_compare(x, y, result);
    allowed = -1;
    assert_int_equal(translated & ADI3_CLASS_MASK, MPI_ERR_NO_MEM);
    assert_int_equal(compared & ADI3_CLASS_MASK, MPI_ERR_NO_MEM);
    for (int i = 0; i < 4; i++)
        assert_int_equal(result[i], 77);
}

/* Whatever allocation fails: no group, nothing is lost, and the next call is right. */
static void no_memory(void **state)
{
    static const int members[] = { 9, 1, 5, 3, 1 << 20, 7 }, others[] = { 3, 5, 9, 1, 7, 0 };

    (void) state;
    for (int what = 0; what < 7; what++) {
        for (int fail = 0;; fail++) {
            x = group_of(6, members);
            y = group_of(6, others);
            int before = alive;
            allowed = fail;
            struct adi3_group *g = call(what);
            allowed = -1;
            if (!g)
                assert_int_equal(alive - before, !!x->at + !!y->at);
            struct adi3_group *again = call(what);
            assert_non_null(again);
            adi3_group_release(again);
            adi3_group_release(g);
            adi3_group_release(x);
            adi3_group_release(y);
            if (g)
                break;
            assert_true(fail < 5);
        }
    }
    x = group_of(6, members);
    y = group_of(6, others);
    asks_without_memory();
    adi3_group_release(x);
    adi3_group_release(y);
}

int main(void)
{
    adi3_job.size = INT_MAX; /* all numbers are of our job */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_as_the_standard_says),
        cmocka_unit_test(ranks_name_members),
        cmocka_unit_test(ranks_translate),
        cmocka_unit_test(ranges_do_not_overflow),
        cmocka_unit_test(many_groups_end),
        cmocka_unit_test(no_memory),
    };

    return UNIT_RUN(tests);
}
