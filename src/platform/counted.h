/* counted.h — included before each source of the library when STARLING_COUNT_MEMORY is on: then
 * what it allocates is counted, by source file (counted.c). */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdlib.h>
#include <string.h>

/* A block of the library's; NULL is none. Both return it. */
void *os_counted_add(void *block, size_t len, const char *file);
void *os_counted_drop(void *block);

static inline void *os_counted_malloc(size_t len, const char *file)
{
    return os_counted_add(malloc(len), len, file);
}

static inline void *os_counted_calloc(size_t n, size_t len, const char *file)
{
    return os_counted_add(calloc(n, len), n * len, file);
}

/* On failure the old block stays. */
static inline void *os_counted_realloc(void *block, size_t len, const char *file)
{
    void *old = os_counted_drop(block), *more = realloc(old, len);

    (void) os_counted_add(more || !len ? NULL : block, 0, file);
    return os_counted_add(more, len, file);
}

static inline char *os_counted_strdup(const char *text, const char *file)
{
    return os_counted_add(strdup(text), strlen(text) + 1, file);
}

static inline void os_counted_free(void *block) { free(os_counted_drop(block)); }

#define malloc(len)         os_counted_malloc(len, __FILE__)
#define calloc(n, len)      os_counted_calloc(n, len, __FILE__)
#define realloc(block, len) os_counted_realloc(block, len, __FILE__)
#define strdup(text)        os_counted_strdup(text, __FILE__)
/* A name, not a call: some fields are called free, which then are so everywhere. */
#define free os_counted_free

#endif /* COUNTED_H */
