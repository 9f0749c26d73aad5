/* dims_test.c — T02: the largest and the smallest dimension are as near each other as possible: as
 * near as an exhaustive search finds, and as known results for numbers where libraries that deal
 * out prime factors find worse grids. Of grids with the same spread, those with smaller largest
 * factors are better. */
#include <time.h>
#include "mpi/topo/dims.h"
#include "unit.h"

enum { MOST = 64 };

/* The least spread of all grids of n whose factors are not below last, the first being smallest. */
static int least_spread(int n, int count, int smallest, int last)
{
    int best = INT32_MAX;

    if (count == 1)
        return n < last ? best : n - (smallest ? smallest : n);
    for (int d = last; d <= n / d || d == last; d++) {
        if (n % d)
            continue;
        int spread = least_spread(n / d, count - 1, smallest ? smallest : d, d);
        best = spread < best ? spread : best;
    }
    return best;
}

static void balance(int n, int count, int *factor)
{
    long long product = 1;

    mpir_dims_balance(n, count, factor);
    for (int i = 0; i < count; i++) {
        assert_true(factor[i] > 0 && (i == 0 || factor[i] <= factor[i - 1]));
        product *= factor[i];
    }
    assert_true(product == n);
}

static void test_least_spread(void **state)
{
    int factor[MOST];

    (void) state;
    for (int n = 1; n <= 1200; n++)
        for (int count = 1; count <= 5; count++) {
            balance(n, count, factor);
            assert_int_equal(factor[0] - factor[count - 1], least_spread(n, count, 0, 1));
        }
}

static void test_known(void **state)
{
    static const struct {
        int n, count, factor[5];
    } known[] = {
        { 16, 3, { 4, 2, 2 } },
        { 36, 2, { 6, 6 } },
        { 72, 3, { 6, 4, 3 } },
        { 1024, 3, { 16, 8, 8 } },
        { 1200, 2, { 40, 30 } },
        { 1000, 3, { 10, 10, 10 } },
        { 4320, 3, { 18, 16, 15 } },
        { 6480, 4, { 10, 9, 9, 8 } },
        { 5616, 4, { 13, 9, 8, 6 } }, /* not 13 x 12 x 6 x 6, as wide */
        { 5040, 3, { 20, 18, 14 } },  /* not 21 x 16 x 15 */
        { 2147483647, 2, { 2147483647, 1 } },
    };
    int factor[MOST];

    (void) state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        balance(known[k].n, known[k].count, factor);
        for (int i = 0; i < known[k].count; i++)
            assert_int_equal(factor[i], known[k].factor[i]);
    }
}

/* The numbers with the most divisors, and any: no grid takes long, however many dimensions. */
static void test_quick(void **state)
{
    int n = 0, factor[MOST];
    clock_t begin = clock();

    (void) state;
    for (int count = 1; count <= MOST; count++) {
        balance(2095133040, count, factor);
        balance(1396755360, count, factor);
        balance(INT32_MAX, count, factor);
        balance(1 << 30, count, factor);
        n += 4;
        for (int i = 0; i < 20; i++, n++)
            balance(1 + (int) unit_random(INT32_MAX), count, factor);
    }
    assert_true((double) (clock() - begin) / CLOCKS_PER_SEC < n * 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_spread),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_quick),
    };

    return UNIT_RUN(tests);
}
