/* cpus.c — sets of CPUs, and their form as text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "pm/bind/pm_cpus.h"

enum { WORDS = PM_CPUS / 64 };

/* Reads a number below PM_CPUS, of the digits before end. Returns what follows it, or NULL. */
static const char *read_cpu(const char *at, const char *end, int *cpu)
{
    const char *start = at;

    for (*cpu = 0; at < end && *at >= '0' && *at <= '9' && *cpu < PM_CPUS; at++)
        *cpu = *cpu * 10 + (*at - '0');
    return at > start && *cpu < PM_CPUS ? at : NULL;
}

int pm_cpus_parse(struct pm_cpus *set, const char *text, size_t len)
{
    const char *at = text, *end = text + len;
    int first, last, below = 0;

    *set = (struct pm_cpus) { { 0 } };
    for (;;) {
        at = read_cpu(at, end, &first);
        last = first;
        if (at && at < end && *at == '-')
            at = read_cpu(at + 1, end, &last);
        if (!at || first < below || last < first)
            break;
        below = last + 1;
        for (; first <= last; first++)
            set->bits[first / 64] |= 1ull << first % 64;
        if (at == end)
            return 0;
        if (*at++ != ',')
            break;
    }
    *set = (struct pm_cpus) { { 0 } };
    return -EINVAL;
}

void pm_cpus_text(const struct pm_cpus *set, char *text, size_t len)
{
    size_t n = 0;

    *text = '\0';
    for (int cpu = pm_cpus_next(set, 0), last; cpu >= 0; cpu = pm_cpus_next(set, last + 1)) {
        for (last = cpu; pm_cpus_has(set, last + 1); last++)
            continue;
        int more = last > cpu ? snprintf(text + n, len - n, "%s%d-%d", n ? "," : "", cpu, last)
                              : snprintf(text + n, len - n, "%s%d", n ? "," : "", cpu);
        n += (size_t) more;
        if (n >= len)
            return;
    }
}

bool pm_cpus_has(const struct pm_cpus *set, int cpu)
{
    return cpu >= 0 && cpu < PM_CPUS && set->bits[cpu / 64] >> cpu % 64 & 1;
}

int pm_cpus_next(const struct pm_cpus *set, int from)
{
    for (int w = from / 64; w < WORDS; w++) {
        uint64_t left = set->bits[w] & (w == from / 64 ? ~0ull << from % 64 : ~0ull);
        if (left)
            return w * 64 + __builtin_ctzll(left);
    }
    return -1;
}

int pm_cpus_count(const struct pm_cpus *set)
{
    int n = 0;

    for (int w = 0; w < WORDS; w++)
        n += __builtin_popcountll(set->bits[w]);
    return n;
}

void pm_cpus_add(struct pm_cpus *set, const struct pm_cpus *more)
{
    for (int w = 0; w < WORDS; w++)
        set->bits[w] |= more->bits[w];
}

struct pm_cpus pm_cpus_both(const struct pm_cpus *a, const struct pm_cpus *b)
{
    struct pm_cpus both;

    for (int w = 0; w < WORDS; w++)
        both.bits[w] = a->bits[w] & b->bits[w];
    return both;
}

bool pm_cpus_intersect(const struct pm_cpus *a, const struct pm_cpus *b)
{
    for (int w = 0; w < WORDS; w++)
        if (a->bits[w] & b->bits[w])
            return true;
    return false;
}

bool pm_cpus_equal(const struct pm_cpus *a, const struct pm_cpus *b)
{
    return !memcmp(a, b, sizeof *a);
}

bool pm_cpus_contain(const struct pm_cpus *set, const struct pm_cpus *subset)
{
    for (int w = 0; w < WORDS; w++)
        if (subset->bits[w] & ~set->bits[w])
            return false;
    return true;
}
