/* soft.c — the numbers of processes that the key or option soft allows: triplets as in Fortran
 * (§10.3.4). */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "platform/soft.h"

enum { DIGITS = 9 }; /* so that numbers, and their sums, fit */

/* A number with or without a sign, which the end must follow; *text is moved behind it. */
static bool soft_read_number(const char **text, long *n)
{
    bool minus = **text == '-';
    const char *digits = *text + (minus || **text == '+');
    size_t len = strspn(digits, "0123456789");

    if (!len || len > DIGITS)
        return false;
    *n = strtol(digits, NULL, 10);
    *n = minus ? -*n : *n;
    *text = digits + len;
    return true;
}

/* "a", "a:b" or "a:b:step" */
static bool triplet_read(const char **text, long *first, long *last, long *step)
{
    if (!soft_read_number(text, first))
        return false;
    *last = *first;
    *step = 1;
    if (**text == ':' && (++*text, !soft_read_number(text, last)))
        return false;
    if (**text == ':' && (++*text, !soft_read_number(text, step)))
        return false;
    return *step && (*last == *first || (*last > *first) == (*step > 0));
}

/* The largest number of the triplet that is at most max. */
static long triplet_largest(long first, long last, long step, long max)
{
    if (step < 0) { /* the same numbers in the other order */
        long end = first;
        first += (last - first) / step * step;
        last = end;
        step = -step;
    }
    if (last > max)
        last = max;
    return last < first ? 0 : first + (last - first) / step * step;
}

int soft_largest(const char *triplets, int max)
{
    long best = 0;

    for (;; triplets++) {
        long first, last, step;
        if (!triplet_read(&triplets, &first, &last, &step) || (*triplets && *triplets != ','))
            return -EINVAL;
        long n = triplet_largest(first, last, step, max);
        best = n > best ? n : best;
        if (!*triplets)
            return (int) best;
    }
}
