/* pattern.h — message contents that show the sender and the place of each byte. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stddef.h>
#include "mpitest.h"

enum { PATTERN_FRESH = 0xa5 }; /* the value that mpitest_memory fills with */

static inline unsigned char pattern_byte(unsigned seed, size_t i)
{
    return (unsigned char) (seed * 131u + i * 7u + (i >> 8) * 13u + (i >> 16) * 29u + 1u);
}

static inline void pattern_fill(void *buf, size_t len, unsigned seed)
{
    unsigned char *p = buf;

    for (size_t i = 0; i < len; i++)
        p[i] = pattern_byte(seed, i);
}

static inline void pattern_freshen(void *buf, size_t len)
{
    unsigned char *p = buf;

    for (size_t i = 0; i < len; i++)
        p[i] = PATTERN_FRESH;
}

/* The place of the first byte that is not the sender's, -1 when all are. */
static inline long long pattern_wrong(const void *buf, size_t len, unsigned seed)
{
    const unsigned char *p = buf;

    for (size_t i = 0; i < len; i++)
        if (p[i] != pattern_byte(seed, i))
            return (long long) i;
    return -1;
}

/* The place of the first byte that is not fresh, -1 when none was written. */
static inline long long pattern_written(const void *buf, size_t len)
{
    const unsigned char *p = buf;

    for (size_t i = 0; i < len; i++)
        if (p[i] != PATTERN_FRESH)
            return (long long) i;
    return -1;
}

#define CHECK_PATTERN(buf, len, seed) CHECK_INT(pattern_wrong(buf, len, seed), -1)
#define CHECK_FRESH(buf, len)         CHECK_INT(pattern_written(buf, len), -1)

/* Lengths on both sides of the limits where libraries change the protocol. */
static const int pattern_sizes[] = { 0,      1,      7,      8,       63,
                                     64,     65,     255,    256,     1000,
                                     4095,   4096,   4097,   8192,    16384,
                                     32767,  32769,  65535,  65536,   65537,
                                     131072, 262143, 262145, 1 << 20, (1 << 20) + 1,
                                     8 << 20 };
enum { PATTERN_SIZES = sizeof pattern_sizes / sizeof *pattern_sizes, PATTERN_MAX = 8 << 20 };

/* One length for each protocol, for tests that do much with each. */
static const int pattern_ways[] = { 8, 3000, 40000, 300000, 2 << 20 };
enum { PATTERN_WAYS = sizeof pattern_ways / sizeof *pattern_ways, PATTERN_LONGEST_WAY = 2 << 20 };

#endif /* PATTERN_H */
