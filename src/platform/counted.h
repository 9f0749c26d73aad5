/* counted.h — counts the memory that the library allocates, by source file (counted.c). Builds with
 * STARLING_COUNT_MEMORY include it before each source of the library. */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdlib.h>
#include <string.h>

/* Add a block to the table and remove it; block may be NULL. Both return block. */
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

/* When realloc fails the old block stays in the table. */
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
/* Defined without arguments: struct fields called free get the new name everywhere, too. */
#define free os_counted_free

#endif /* COUNTED_H */
