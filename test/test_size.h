/* test_size.h — how much a test does: less in each landing than with `tools/check --full`. */
#ifndef TEST_SIZE_H
#define TEST_SIZE_H

#include <stdlib.h>
#include <string.h>

/* The first number, or the second with TEST_SIZE=full in the environment. */
static inline int test_size(int landing, int full)
{
    const char *size = getenv("TEST_SIZE");

    return size && strcmp(size, "full") == 0 ? full : landing;
}

#endif /* TEST_SIZE_H */
