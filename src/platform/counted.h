/* counted.h — included before each source of the library when STARLING_COUNT_MEMORY is on: then
 * what it allocates is counted, by source file (counted.c). */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdlib.h>
#include <string.h>

/* A block of the library's; NULL is none. Both return it. */
void *os_counted_add(void *block, size_t len, const char *file);
void *os_counted_drop(void *block);

static inline void *os_counted_malloc(size_t len)
{
    return os_counted_add(malloc(len), len, __BASE_FILE__);
}

static inline void *os_counted_calloc(size_t n, size_t len)
{
    return os_counted_add(calloc(n, len), n * len, __BASE_FILE__);
}

/* On failure the old block stays. */
static inline void *os_counted_realloc(void *block, size_t len)
{
    void *old = os_counted_drop(block), *more = realloc(old, len);

    (void) os_counted_add(more || !len ? NULL : block, 0, __BASE_FILE__);
    return os_counted_add(more, len, __BASE_FILE__);
}

static inline char *os_counted_strdup(const char *text)
{
    return os_counted_add(strdup(text), strlen(text) + 1, __BASE_FILE__);
}

static inline void os_counted_free(void *block) { free(os_counted_drop(block)); }

/* Names, not calls: a field that is called free is so everywhere. */
#define malloc  os_counted_malloc
#define calloc  os_counted_calloc
#define realloc os_counted_realloc
#define strdup  os_counted_strdup
#define free    os_counted_free

#endif /* COUNTED_H */
