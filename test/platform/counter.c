/* counter.c — counters: rows are found by name, two of one name are found, and values are read by
 * type and object. */
#include "platform/counter.h"
#include "unit.h"

struct thing { /* an object that has counters of its own */
    const unsigned *kept;
};

static unsigned level = 3;
static int negative_never = 7;
static uint64_t events = (uint64_t) 5 << 32;

static const void *kept_of(const void *object) { return ((const struct thing *) object)->kept; }

static const struct counter first[] = {
    COUNTER_ROW("first_level", COUNTER_LEVEL, level, "things", "A level."),
    COUNTER_ROW("first_int", COUNTER_LEVEL, negative_never, "things", "An int."),
    { 0 }
};
static const struct counter second[] = {
    COUNTER_ROW("second_events", COUNTER_EVENTS, events, "events", "Events."),
    COUNTER_OBJECT_ROW("second_kept", COUNTER_LEVEL, COUNTER_OF_COMM, kept_of, "things",
                       "A level of an object."),
    { 0 }
};
static const struct counter again[] = {
    COUNTER_ROW("again_new", COUNTER_LEVEL, level, "things", "A level."),
    COUNTER_ROW("first_int", COUNTER_EVENTS, events, "events", "Another one of that name."),
    { 0 }
};
static const struct counter own_twice[] = {
    COUNTER_ROW("own_level", COUNTER_LEVEL, level, "things", "A level."),
    COUNTER_ROW("own_level", COUNTER_LEVEL, level, "things", "The same."),
    { 0 }
};
static const struct counter *const tables[] = { first, second, NULL };

static void found_by_name(void **state)
{
    (void) state;
    assert_ptr_equal(counter_find(tables, "first_level"), &first[0]);
    assert_ptr_equal(counter_find(tables, "second_kept"), &second[1]);
    assert_null(counter_find(tables, "first"));
    assert_null(counter_find(tables, "FIRST_LEVEL"));
    assert_null(counter_find(tables, ""));
}

static void values(void **state)
{
    const struct thing with = { &level }, without = { NULL };

    (void) state;
    assert_int_equal(counter_value(&first[0], NULL), 3);
    assert_int_equal(counter_value(&first[1], NULL), 7);
    assert_true(counter_value(&second[0], NULL) == (uint64_t) 5 << 32);
    assert_int_equal(counter_value(&second[1], &with), 3);
    assert_int_equal(counter_value(&second[1], &without), 0);
    level = 4;
    assert_int_equal(counter_value(&first[0], NULL), 4);
    assert_int_equal(counter_value(&second[1], &with), 4);
}

static void names_that_are_there_twice(void **state)
{
    const struct counter *const other_table[] = { first, second, again, NULL };
    const struct counter *const one_table[] = { own_twice, NULL };
    const struct counter *const none[] = { NULL };

    (void) state;
    assert_null(counter_find_twice(tables));
    assert_null(counter_find_twice(none));
    assert_ptr_equal(counter_find_twice(other_table), &again[1]);
    assert_ptr_equal(counter_find_twice(one_table), &own_twice[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_name),
        cmocka_unit_test(values),
        cmocka_unit_test(names_that_are_there_twice),
    };

    return UNIT_RUN(tests);
}
