/* stream.c — long messages are written to a ring the cheaper way, and now and then the other
 * way. */
#include <string.h>
#include "platform/os.h"
#include "devices/shm/stream.h"
#include "unit.h"

enum { LINES = 1000, TURNS = 640 };

/* Returns how many of so many turns go past the cache, when a line costs the given picoseconds. */
static int streams(struct shm_pace *p, int turns, uint64_t through, uint64_t past)
{
    int n = 0;

    for (int i = 0; i < turns; i++) {
        bool stream = shm_pace_choose(p);
        shm_pace_note(p, stream, LINES, (stream ? past : through) * LINES / 1000);
        n += stream;
    }
    return n;
}

static void need_streams(void)
{
    if (!os_can_stream())
        skip();
}

static void takes_the_cheaper_way(void **state)
{
    struct shm_pace near = { .turns = 0 }, far = near;

    (void) state;
    need_streams();
    assert_in_range(streams(&near, TURNS, 5000, 7000), 1, TURNS / 20);
    assert_in_range(streams(&far, TURNS, 20000, 7000), TURNS - TURNS / 20, TURNS - 1);
}

/* Near cores become far from each other, and near again. */
static void follows_a_change(void **state)
{
    struct shm_pace p = { .turns = 0 };

    (void) state;
    need_streams();
    (void) streams(&p, TURNS, 5000, 7000);
    (void) streams(&p, TURNS, 20000, 7000);
    assert_true(shm_pace_streams(&p));
    (void) streams(&p, TURNS, 5000, 7000);
    assert_false(shm_pace_streams(&p));
}

/* One turn in which the core was taken away changes nothing, nor do turns of a few lines. */
static void one_bad_turn(void **state)
{
    struct shm_pace p = { .turns = 0 };

    (void) state;
    need_streams();
    (void) streams(&p, TURNS, 5000, 7000);
    shm_pace_note(&p, false, LINES, 100000000);
    assert_false(shm_pace_streams(&p));
    for (int i = 0; i < TURNS; i++)
        shm_pace_note(&p, false, 1, 100000000);
    assert_false(shm_pace_streams(&p));
}

/* At every alignment and length all bytes are copied, and no other byte is written. */
static void copies_all(void **state)
{
    enum { MOST = 5 * OS_LINE };
    static OS_ALIGNED char from[MOST], to[2 * MOST], expect[2 * MOST];

    (void) state;
    for (size_t i = 0; i < MOST; i++)
        from[i] = (char) (i * 7 + 1);
    for (size_t at = 0; at < OS_LINE; at++)
        for (size_t len = 0; len + at <= MOST; len += len < 80 ? 1 : 13) {
            memset(to, 0, sizeof to);
            memset(expect, 0, sizeof expect);
            memcpy(expect + at, from + len % 9, len - len % 9);
            os_stream(to + at, from + len % 9, len - len % 9);
            assert_memory_equal(to, expect, sizeof to);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(takes_the_cheaper_way),
                                        cmocka_unit_test(follows_a_change),
                                        cmocka_unit_test(one_bad_turn),
                                        cmocka_unit_test(copies_all) };

    return UNIT_RUN(tests);
}
