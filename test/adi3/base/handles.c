/* handles.c — a handle that was freed, is of another kind, or was never given, names nothing. */
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3.h"
#include "adi3/base/base.h"
#include "unit.h"

struct thing {
    void *self;
    int number;
};

enum { MANY = 1000, SLOT = ADI3_SLOTS - 1 };

static struct adi3_pool things = ADI3_POOL(9, struct thing);
static struct adi3_pool others = ADI3_POOL(10, struct thing);
static int handle[ADI3_SLOTS];
static struct thing *object[ADI3_SLOTS];

static void make(int from, int to)
{
    for (int i = from; i < to; i++) {
        object[i] = adi3_new(&things, &handle[i]);
        assert_non_null(object[i]);
        assert_int_equal((uintptr_t) object[i] % 16, 0);
        *object[i] = (struct thing) { object[i], i };
    }
}

static void drop(int from, int to)
{
    for (int i = from; i < to; i++)
        adi3_free(&things, object[i]);
}

static int forget(void **state)
{
    (void) state;
    for (unsigned i = 0; i < things.nblocks; i++)
        free(things.block[i]);
    things = (struct adi3_pool) ADI3_POOL(9, struct thing);
    return 0;
}

static void each_finds_its_own(void **state)
{
    (void) state;
    make(0, MANY);
    for (int i = 0; i < MANY; i++) {
        unsigned h = (unsigned) handle[i];
        assert_ptr_equal(adi3_get(&things, handle[i]), object[i]);
        assert_true(object[i]->self == object[i] && object[i]->number == i);
        assert_int_equal(h >> 30, ADI3_HOW_POOL);
        assert_int_equal(h >> 26 & 15, 9);
        assert_null(adi3_get(&others, handle[i]));
        for (int bit = 20; bit < 32; bit++) /* generation, kind and how */
            assert_null(adi3_get(&things, (int) (h ^ 1u << bit)));
        assert_null(adi3_get(&things, (int) (h + 2 * MANY)));
    }
    drop(0, MANY);
    for (int i = 0; i < MANY; i++)
        assert_null(adi3_get(&things, handle[i]));
}

static void numbers_that_are_no_handles(void **state)
{
    static const int numbers[] = { 0, 1, -1, 42, INT32_MAX, INT32_MIN, 0x44000000, 0x2c000000 };

    (void) state;
    for (int used = 0; used < 2; used++) {
        for (int i = 0; i < 8; i++)
            assert_null(adi3_get(&things, numbers[i]));
        make(0, 1);
        drop(0, 1);
        for (unsigned slot = 0; slot < 2000; slot++) /* as it is while it is free */
            for (unsigned how = 0; how < 4; how++)
                for (unsigned generation = 0; generation < ADI3_GENERATIONS; generation++)
                    assert_null(
                        adi3_get(&things, (int) (how << 30 | 9u << 26 | generation << 20 | slot)));
    }
}

/* All other free slots serve before a slot serves again. */
static void reuse_is_first_in_first_out(void **state)
{
    int first, h, n = 1;

    (void) state;
    make(0, MANY);
    drop(0, MANY);
    adi3_free(&things, adi3_new(&things, &first));
    for (;; n++) {
        adi3_free(&things, adi3_new(&things, &h));
        if (((h ^ first) & SLOT) == 0)
            break;
    }
    assert_int_equal(n, (MANY + ADI3_BLOCK - 1) / ADI3_BLOCK * ADI3_BLOCK);
    assert_true(h != first);
}

static void stale_for_64_generations(void **state)
{
    int stale, h;

    (void) state;
    adi3_free(&things, adi3_new(&things, &stale));
    for (int i = 1; i < ADI3_GENERATIONS * ADI3_BLOCK; i++) {
        void *o = adi3_new(&things, &h);
        assert_true(h != stale && adi3_get(&things, h) == o && !adi3_get(&things, stale));
        adi3_free(&things, o);
    }
    (void) adi3_new(&things, &h);
    assert_int_equal(h, stale); /* all generations have been used */
}

/* Even where one slot alone is free, its handle does not come back at once. */
static void one_slot_left(void **state)
{
    int h[ADI3_GENERATIONS];

    (void) state;
    make(0, ADI3_BLOCK);
    for (int i = 0; i < ADI3_GENERATIONS; i++) {
        drop(7, 8);
        make(7, 8);
        h[i] = handle[7];
        for (int j = 0; j < i; j++)
            assert_int_not_equal(h[i], h[j]);
        assert_int_equal((h[i] ^ h[0]) & SLOT, 0);
    }
    assert_int_equal(things.nblocks, 1);
    drop(0, ADI3_BLOCK);
}

/* Objects never move, however many come after them; at the limit there is an error, no more. */
static void a_million(void **state)
{
    int h;

    (void) state;
    make(0, ADI3_SLOTS);
    assert_null(adi3_new(&things, &h));
    for (int i = 0; i < ADI3_SLOTS; i += 111) {
        assert_ptr_equal(adi3_get(&things, handle[i]), object[i]);
        assert_true(object[i]->self == object[i] && object[i]->number == i);
    }
    drop(5, 6);
    make(5, 6);
    assert_ptr_equal(adi3_get(&things, handle[5]), object[5]);
    assert_null(adi3_new(&things, &h));
    drop(0, ADI3_SLOTS);
    assert_null(adi3_next(&things, NULL));
}

static void walks_over_the_living(void **state)
{
    int seen = 0;

    (void) state;
    assert_null(adi3_next(&things, NULL));
    make(0, MANY);
    for (int i = 0; i < MANY; i++)
        if (i % 3 || i > 900)
            drop(i, i + 1);
    for (struct thing *t = adi3_next(&things, NULL); t; t = adi3_next(&things, t)) {
        assert_int_equal(t->number, 3 * seen);
        seen++;
    }
    assert_int_equal(seen, 301);
}

/* A walk over all objects may free the one it is at, once it has asked for the next one. */
static void walks_and_frees(void **state)
{
    struct thing *next;
    int n = 0;

    (void) state;
    make(0, MANY);
    for (struct thing *t = adi3_next(&things, NULL); t; t = next, n++) {
        next = adi3_next(&things, t);
        adi3_free(&things, t);
    }
    assert_int_equal(n, MANY);
    assert_null(adi3_next(&things, NULL));
}

/* Objects are made and freed at random, and compared with a plain list of those that live. */
static void at_random(void **state)
{
    enum { MOST = 700 };
    int stale[MOST] = { 0 }, n = 0;

    (void) state;
    for (int i = 0; i < 200000; i++) {
        if (n < MOST && (n == 0 || unit_random(100) < (i / 2000 % 2 ? 60 : 40))) {
            make(n, n + 1);
            n++;
            continue;
        }
        int victim = (int) unit_random((uint32_t) n), look = (int) unit_random((uint32_t) n);
        assert_ptr_equal(adi3_get(&things, handle[look]), object[look]);
        assert_ptr_equal(object[look]->self, object[look]);
        stale[i % MOST] = handle[victim];
        drop(victim, victim + 1);
        handle[victim] = handle[--n];
        object[victim] = object[n];
        assert_null(adi3_get(&things, stale[i % MOST]));
    }
    drop(0, n);
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_finds_its_own),
        TEST(numbers_that_are_no_handles),
        TEST(reuse_is_first_in_first_out),
        TEST(stale_for_64_generations),
        TEST(one_slot_left),
        TEST(a_million),
        TEST(walks_over_the_living),
        TEST(walks_and_frees),
        TEST(at_random),
    };

    return UNIT_RUN(tests);
}
