/* counted.c — finds memory that the library has not freed, in builds that count it.
 *
 * A hash table by address has all blocks of the library. Freeing a block that is not in the
 * table, such as one of libc, works, too. The table itself is not allocated by malloc, which
 * tests replace and LeakSanitizer searches. */
#include <stdint.h>
#include <sys/mman.h>
#include "platform/counted.h"
#undef malloc
#undef calloc
#undef realloc
#undef strdup
#undef free
#include "platform/os.h"

enum { BUCKETS = 4096, FILES = 64, ROWS = 2048 };

struct block {
    struct block *next;
    const void *at;
    size_t len;
    const char *file; /* NULL: os_counted_ignore() was called */
};

static struct block *bucket[BUCKETS], *spare;
static struct os_lock lock;

/* The caller holds the lock, also for block_record_put(). NULL: no memory. */
static struct block *block_record_get(void)
{
    if (!spare) {
        struct block *more = mmap(NULL, ROWS * sizeof *more, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; more != MAP_FAILED && i < ROWS; i++) {
            more[i].next = spare;
            spare = &more[i];
        }
    }
    struct block *b = spare;
    if (b)
        spare = b->next;
    return b;
}

static void block_record_put(struct block *b)
{
    b->next = spare;
    spare = b;
}

static struct block **place_of(const void *at)
{
    struct block **b = &bucket[(uintptr_t) at / 16 % BUCKETS];

    while (*b && (*b)->at != at)
        b = &(*b)->next;
    return b;
}

void *os_counted_add(void *at, size_t len, const char *file)
{
    os_lock_take(&lock);
    struct block **place = &bucket[(uintptr_t) at / 16 % BUCKETS],
                 *b = at ? block_record_get() : NULL;
    if (b) {
        *b = (struct block) { .next = *place, .at = at, .len = len, .file = file };
        *place = b;
    }
    os_lock_drop(&lock);
    return at;
}

void *os_counted_drop(void *at)
{
    os_lock_take(&lock);
    struct block **place = place_of(at), *b = *place;
    if (b) {
        *place = b->next;
        block_record_put(b);
    }
    os_lock_drop(&lock);
    return at;
}

void os_counted_ignore(const void *at)
{
    os_lock_take(&lock);
    struct block *b = *place_of(at);
    if (b)
        b->file = NULL;
    os_lock_drop(&lock);
}

/* Cuts a path that the compiler was given down to "src/adi3/comm/comm.c". */
static const char *short_name(const char *file)
{
    const char *last = file;

    for (const char *at = file; (at = strstr(at, "/src/")); at++)
        last = at + 1;
    return last;
}

void os_counted(void (*report)(const char *file, size_t blocks, size_t bytes))
{
    struct {
        const char *file;
        size_t blocks, bytes;
    } of[FILES] = { 0 };
    int n = 0;

    os_lock_take(&lock);
    for (int i = 0; i < BUCKETS; i++) {
        for (const struct block *b = bucket[i]; b; b = b->next) {
            int f = 0;
            while (f < n && b->file && strcmp(of[f].file, b->file))
                f++;
            if (!b->file || f == FILES)
                continue;
            n += f == n;
            of[f].file = b->file;
            of[f].blocks++;
            of[f].bytes += b->len;
        }
    }
    os_lock_drop(&lock);
    for (int f = 0; f < n; f++)
        report(short_name(of[f].file), of[f].blocks, of[f].bytes);
}
