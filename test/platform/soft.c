/* soft.c — the largest number of processes in a list of triplets. */
#include "platform/soft.h"
#include "unit.h"

static void soft(void **state)
{
    static const struct {
        const char *triplets;
        int max, expected;
    } cases[] = {
        { "4", 4, 4 },           { "4", 3, 0 },
        { "1,2,4,8,16", 10, 8 }, { "0:8", 5, 5 },
        { "0:8", 20, 8 },        { "2:10000:2", 7, 6 },
        { "2:10:2,7", 7, 7 },    { "7,2:10:2", 9, 8 },
        { "10:1:-4", 9, 6 },     { "10:1:-4", 5, 2 },
        { "10:1:-4", 1, 0 },     { "-3:3:2", 8, 3 },
        { "-3:3:4", 8, 1 },      { "-5", 8, 0 },
        { "5:5:-1", 8, 5 },      { "3:4:100", 8, 3 },
        { "+3", 8, 3 },          { "999999999", 8, 0 },
        { "", 8, -22 },          { ",", 8, -22 },
        { "1,", 8, -22 },        { "a", 8, -22 },
        { "1:", 8, -22 },        { "1:2:", 8, -22 },
        { "1:2:0", 8, -22 },     { "1:2:-1", 8, -22 },
        { "2:1", 8, -22 },       { "2:1:1", 8, -22 },
        { "1:2:1:1", 8, -22 },   { "1 2", 8, -22 },
        { "--1", 8, -22 },       { "9999999999", 8, -22 },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int n = soft_largest(cases[i].triplets, cases[i].max);
        if (n != cases[i].expected)
            fail_msg("'%s' up to %d: %d", cases[i].triplets, cases[i].max, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(soft) };

    return UNIT_RUN(tests);
}
