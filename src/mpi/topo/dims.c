/* dims.c — the most balanced grid: an exact search for the factors with the smallest spread.
 *
 * The spread is the largest factor less the smallest. The smallest factor is tried downwards over
 * the divisors, from the root of n, where all factors would be equal. For each, the spread must not
 * be above that of the best grid so far. That leaves few choices for the other factors, so the
 * search is short. Of several grids with the smallest spread, the best has the smallest largest
 * factor, then the smallest second largest one, and so on. */
#include <limits.h>
#include <string.h>
#include "mpi/topo/dims.h"

enum { DIVISORS = 1600, FACTORS = 31 }; /* the most that an int has; factors are 2 or more */

struct search {
    int divisor[DIVISORS], divisors; /* ascending */
    int spread;                      /* of the best grid: its largest less its smallest factor */
    int count;
    int trial[FACTORS], best[FACTORS]; /* non-decreasing */
    int prime[FACTORS], primes;        /* ascending; the largest factor is never below the last */
};

/* Whether base^exponent is above n. */
static bool power_exceeds(int base, int exponent, int n)
{
    long long power = 1;

    while (exponent-- > 0)
        if ((power *= base) > n)
            return true;
    return false;
}

/* The largest whole number whose power with this exponent is not above n. */
static int integer_root(int n, int exponent)
{
    int low = 1, high = exponent > 1 ? 46340 : n;

    while (low < high) {
        int middle = high - (high - low) / 2;
        if (power_exceeds(middle, exponent, n))
            high = middle - 1;
        else
            low = middle;
    }
    return low;
}

static void add_prime(struct search *s, int prime, int times)
{
    int old = s->divisors;

    for (int i = 0; i < old * times; i++, s->divisors++)
        s->divisor[s->divisors] = s->divisor[s->divisors - old] * prime;
    while (times-- > 0)
        s->prime[s->primes++] = prime;
}

static void sort_up(int *v, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int x = v[i], j = i;
            for (; j >= gap && v[j - gap] > x; j -= gap)
                v[j] = v[j - gap];
            v[j] = x;
        }
}

static void find_divisors(struct search *s, int n)
{
    int rest = n;

    s->divisor[0] = s->divisors = 1;
    s->primes = 0;
    for (int p = 2; p <= rest / p; p += 1 + (p > 2)) {
        int times = 0;
        for (; rest % p == 0; rest /= p)
            times++;
        if (times)
            add_prime(s, p, times);
    }
    if (rest > 1)
        add_prime(s, rest, 1);
    sort_up(s->divisor, s->divisors);
}

/* Index of the first divisor that is not below x. */
static int divisor_from(const struct search *s, int x)
{
    int low = 0, high = s->divisors;

    while (low < high) {
        int middle = (low + high) / 2;
        if (s->divisor[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The least value of the next of `left` factors: with a smaller one the others would make the
 * spread larger than the best. */
static int smallest_next(const struct search *s, int left, int rest)
{
    long long limit = (long long) s->trial[0] + s->spread;

    while (--left > 0)
        rest = (int) ((rest + limit - 1) / limit);
    return rest;
}

/* Whether the trial is better than the best; both have all factors. */
static bool is_trial_better(const struct search *s)
{
    int i = s->count - 1, spread = s->trial[i] - s->trial[0];

    if (spread != s->spread)
        return spread < s->spread;
    while (i > 0 && s->trial[i] == s->best[i])
        i--;
    return s->trial[i] < s->best[i];
}

/* The trial has `have` factors; rest is the product of the other ones, none of which is below the
 * last. Tries all of them and saves the best grid. */
static void trial_complete(struct search *s, int have, int rest)
{
    int left = s->count - have, last = s->trial[have - 1];

    if (left == 1) {
        s->trial[have] = rest;
        if (rest < last || !is_trial_better(s))
            return;
        s->spread = rest - s->trial[0];
        memcpy(s->best, s->trial, (size_t) s->count * sizeof *s->best);
        return;
    }
    int most = integer_root(rest, left), least = smallest_next(s, left, rest);
    for (int i = divisor_from(s, least > last ? least : last); i < s->divisors; i++) {
        int d = s->divisor[i];
        if (d > most)
            return;
        if (rest % d)
            continue;
        s->trial[have] = d;
        trial_complete(s, have + 1, rest / d);
    }
}

static void factors_search(struct search *s, int n)
{
    int top = integer_root(n, s->count), largest = top; /* a lower bound of the largest factor */

    largest += !power_exceeds(top, s->count, n - 1);
    if (s->prime[s->primes - 1] > largest)
        largest = s->prime[s->primes - 1];
    s->spread = INT_MAX;
    for (int i = divisor_from(s, top + 1) - 1; i >= 0; i--) {
        if (largest - s->divisor[i] > s->spread)
            return;
        s->trial[0] = s->divisor[i];
        trial_complete(s, 1, n / s->divisor[i]);
    }
}

/* With a factor for each prime, the smallest factor is 1 or they are the primes. */
void mpir_dims_balance(int n, int count, int *factor)
{
    struct search s;

    find_divisors(&s, n);
    for (int i = 0; i < count; i++)
        factor[i] = i < s.primes ? s.prime[s.primes - 1 - i] : 1;
    if (count >= s.primes)
        return;
    s.count = count;
    s.best[0] = n;
    if (count > 1)
        factors_search(&s, n);
    for (int i = 0; i < count; i++)
        factor[i] = s.best[count - 1 - i];
}
