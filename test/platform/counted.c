/* counted.c — counts memory by source file, for each way to allocate it. This file is compiled
 * like those of a library that counts. */
#include <stdlib.h>
#include <string.h>
#include "platform/os.h"
#include "unit.h"

static size_t counted_blocks, counted_bytes;

static void note(const char *file, size_t blocks, size_t bytes)
{
    if (!strstr(file, "counted.c"))
        return;
    counted_blocks += blocks;
    counted_bytes += bytes;
}

static void expect(size_t blocks, size_t bytes)
{
    counted_blocks = counted_bytes = 0;
    os_counted(note);
    assert_int_equal(counted_blocks, blocks);
    assert_int_equal(counted_bytes, bytes);
}

static void counts_until_freed(void **state)
{
    (void) state;
    expect(0, 0);
    char *a = malloc(100), *b = calloc(10, 20), *c = strdup("seven!");
    assert_true(a && b && c);
    expect(3, 307);
    a = realloc(a, 1000);
    expect(3, 1207);
    free(a);
    free(b);
    expect(1, 7);
    free(c);
    free(NULL);
    expect(0, 0);
}

static void does_not_count_what_is_kept(void **state)
{
    (void) state;
    char *a = malloc(10);
    os_counted_ignore(a);
    expect(0, 0);
    free(a);
    os_counted_ignore(NULL);
}

/* A later block may have the address of an ignored one. */
static void many_blocks(void **state)
{
    enum { N = 20000 };
    static void *block[N];

    (void) state;
    for (int i = 0; i < N; i++)
        block[i] = malloc(8);
    expect(N, (size_t) N * 8);
    for (int i = 0; i < N; i++)
        free(block[i]);
    expect(0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_until_freed),
        cmocka_unit_test(does_not_count_what_is_kept),
        cmocka_unit_test(many_blocks),
    };

    return UNIT_RUN(tests);
}
