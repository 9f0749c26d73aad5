/* huge.c — STARLING_HUGE_PAGES: which memory is aligned to huge pages, which part of it the
 * kernel is asked to make huge, and what is said where it does not. The kernel is played. */
#include <errno.h>
#include <string.h>
#include "fake.h"
#include "held.h"
#include "adi3/rma/memory/memory_impl.h"

enum { HUGE = 1 << 21, PAGE = 4096 };

static struct {
    size_t page;
    int err; /* what the next calls return */
    int advised, collapsed;
    char *at; /* of the last call */
    size_t len;
} kernel;

static int warnings;
static char warning[256];

size_t __wrap_os_huge_page(void);
size_t __wrap_os_huge_page(void) { return kernel.page; }

int __wrap_os_huge_advise(void *at, size_t len);
int __wrap_os_huge_advise(void *at, size_t len)
{
    kernel.advised++;
    kernel.at = at;
    kernel.len = len;
    return kernel.err;
}

int __wrap_os_huge_collapse(void *at, size_t len);
int __wrap_os_huge_collapse(void *at, size_t len)
{
    kernel.collapsed++;
    kernel.at = at;
    kernel.len = len;
    return kernel.err;
}

static void warn(const char *line)
{
    warnings++;
    (void) snprintf(warning, sizeof warning, "%s", line);
}

static void play(bool setting, size_t page)
{
    memset(&kernel, 0, sizeof kernel);
    kernel.page = page;
    huge_setting = setting;
    warnings = 0;
    adi3_warn = warn;
}

static int setup(void **state)
{
    (void) state;
    play(true, HUGE);
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    huge_setting = false;
    adi3_warn = NULL;
    assert_int_equal(held_maps("starling-share"), 0);
    return 0;
}

/* ---- alignment ------------------------------------------------------------------------------- */

static void aligned_from_one_page_on(void **state)
{
    (void) state;
    assert_int_equal(adi3_huge_align(0), 1);
    assert_int_equal(adi3_huge_align(HUGE - 1), 1);
    assert_int_equal(adi3_huge_align(HUGE), HUGE);
    assert_int_equal(adi3_huge_align(HUGE + 1), HUGE);
    assert_int_equal(adi3_huge_align(SIZE_MAX), HUGE);
    play(false, HUGE);
    assert_int_equal(adi3_huge_align(HUGE), 1);
    assert_int_equal(adi3_huge_align(SIZE_MAX), 1);
    play(true, 1); /* the kernel has none */
    assert_int_equal(adi3_huge_align(0), 1);
    assert_int_equal(adi3_huge_align(HUGE), 1);
}

/* ---- private memory -------------------------------------------------------------------------- */

static void whole_pages_are_advised(void **state)
{
    char *at = (char *) (uintptr_t) HUGE;

    (void) state;
    adi3_huge_advise(at, 0);
    adi3_huge_advise(at, HUGE - 1);
    assert_int_equal(kernel.advised, 0);
    adi3_huge_advise(at, HUGE);
    assert_true(kernel.advised == 1 && kernel.at == at && kernel.len == HUGE);
    adi3_huge_advise(at, (size_t) 4 * HUGE - 1);
    assert_true(kernel.advised == 2 && kernel.at == at && kernel.len == (size_t) 3 * HUGE);
    assert_int_equal(warnings, 0);
    play(false, HUGE);
    adi3_huge_advise(at, HUGE);
    assert_int_equal(kernel.advised, 0);
}

/* ---- shared memory --------------------------------------------------------------------------- */

static void share(struct node_share *s, size_t len)
{
    assert_int_equal(node_share_create(len, PAGE, PAGE, s), MPI_SUCCESS);
}

static bool is_at(const struct node_share *s, size_t align)
{
    return ((uintptr_t) s->at & (align - 1)) == 0;
}

/* The larger of both alignments; nothing is advised. */
static void placed(void **state)
{
    struct node_share s;

    (void) state;
    for (size_t align = 1; align <= (size_t) 4 * HUGE; align *= 2)
        for (size_t len = PAGE; len <= HUGE; len *= 512) {
            share(&s, len);
            assert_int_equal(rma_share_place(&s, align), MPI_SUCCESS);
            assert_true(is_at(&s, align) && (len < HUGE || is_at(&s, HUGE)));
            *(char *) s.at = 'p';
            node_share_drop(&s);
        }
    assert_int_equal(kernel.advised, 0);
    share(&s, PAGE);
    int err = rma_share_place(&s, (size_t) 1 << 62); /* there are no such addresses */
    assert_int_equal(fake_class(err), MPI_ERR_NO_MEM);
    assert_non_null(s.at);
    node_share_drop(&s);
}

/* That of a process that is alone has no descriptor. */
static void private_memory_is_placed_and_advised(void **state)
{
    struct node_share s = { .at = os_map(-1, HUGE), .len = HUGE, .fd = -1 };

    (void) state;
    assert_non_null(s.at);
    assert_int_equal(rma_share_place(&s, 1), MPI_SUCCESS);
    assert_true(is_at(&s, HUGE));
    assert_true(kernel.advised == 1 && kernel.at == s.at && kernel.len == HUGE);
    *(char *) s.at = 'p';
    node_share_drop(&s);
    s = (struct node_share) { .at = os_map(-1, PAGE), .len = PAGE, .fd = -1 };
    assert_int_equal(rma_share_place(&s, 1), MPI_SUCCESS);
    assert_int_equal(kernel.advised, 1);
    node_share_drop(&s);
}

/* Reserves a part, of which the huge pages from `first` on are made huge: so many. */
static void reserved(struct node_share *s, size_t at, size_t len, size_t first, size_t pages)
{
    int before = kernel.collapsed;

    assert_int_equal(rma_share_reserve(s, at, len), MPI_SUCCESS);
    assert_int_equal(kernel.collapsed, before + (pages > 0));
    if (pages)
        assert_true(kernel.at == (char *) s->at + first * HUGE && kernel.len == pages * HUGE);
}

/* Those that are in the part as a whole: others belong to other processes, too. */
static void whole_pages_of_a_part(void **state)
{
    struct node_share s;

    (void) state;
    share(&s, (size_t) 5 * HUGE);
    assert_int_equal(rma_share_place(&s, 1), MPI_SUCCESS);
    reserved(&s, 0, 0, 0, 0);
    reserved(&s, (size_t) 5 * HUGE, 0, 0, 0);
    reserved(&s, 0, HUGE - 1, 0, 0);
    reserved(&s, 0, HUGE, 0, 1);
    reserved(&s, HUGE, HUGE + PAGE, 1, 1);
    reserved(&s, PAGE, HUGE, 0, 0);
    reserved(&s, PAGE, (size_t) 2 * HUGE - 2 * PAGE, 0, 0);
    reserved(&s, PAGE, (size_t) 2 * HUGE - PAGE, 1, 1);
    reserved(&s, PAGE, (size_t) 3 * HUGE, 1, 2);
    reserved(&s, 0, (size_t) 5 * HUGE, 0, 5);
    assert_int_equal(kernel.advised, 0);
    play(false, HUGE);
    reserved(&s, 0, (size_t) 5 * HUGE, 0, 0);
    node_share_drop(&s);
}

/* Pages that could not be reserved are not made huge. */
static void not_reserved(void **state)
{
    struct node_share s = { .len = SIZE_MAX / 2, .fd = -1 };

    (void) state;
    int err = rma_share_reserve(&s, 0, SIZE_MAX / 2);
    assert_int_equal(fake_class(err), MPI_ERR_NO_MEM);
    assert_int_equal(kernel.collapsed, 0);
}

/* ---- what is said ---------------------------------------------------------------------------- */

/* Each in a process of its own: it is said once. */
static void says_private(void *arg)
{
    (void) arg;
    kernel.err = -EPERM;
    adi3_node.index = 0;
    for (int i = 0; i < 3; i++)
        adi3_huge_advise(&kernel, HUGE);
    CHECK(warnings == 1 && kernel.advised == 3);
    CHECK(strstr(warning, "STARLING_HUGE_PAGES=on: private memory has small pages: "));
    CHECK(strstr(warning, strerror(EPERM)));
}

/* It is not an error. */
static void says_shared(void *arg)
{
    struct node_share s;

    (void) arg;
    adi3_node.index = 0;
    CHECK(!node_share_create(HUGE, PAGE, PAGE, &s) && !rma_share_place(&s, 1));
    CHECK(!rma_share_reserve(&s, 0, HUGE) && warnings == 0);
    kernel.err = -EINVAL;
    for (int i = 0; i < 3; i++)
        CHECK(!rma_share_reserve(&s, 0, HUGE));
    CHECK(warnings == 1 && kernel.collapsed == 4);
    CHECK(strstr(warning, "STARLING_HUGE_PAGES=on: shared memory has small pages: "));
    CHECK(strstr(warning, strerror(EINVAL)));
}

static void says_nothing(void *arg)
{
    (void) arg;
    kernel.err = -EPERM;
    adi3_node.index = 1; /* the other one of the node says it */
    adi3_huge_advise(&kernel, HUGE);
    CHECK(warnings == 0 && kernel.advised == 1);
}

static void drops_it(void *arg)
{
    (void) arg;
    kernel.err = -EPERM;
    adi3_node.index = 0;
    adi3_warn = NULL; /* warnings are dropped */
    adi3_huge_advise(&kernel, HUGE);
    CHECK(kernel.advised == 1);
}

static void said_once_on_a_node(void **state)
{
    void (*const say[])(void *) = { says_private, says_shared, says_nothing, drops_it };

    (void) state;
    for (size_t i = 0; i < sizeof say / sizeof *say; i++)
        assert_true(unit_ended_well(unit_fork(say[i], NULL)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(aligned_from_one_page_on),
        TEST(whole_pages_are_advised),
        TEST(placed),
        TEST(private_memory_is_placed_and_advised),
        TEST(whole_pages_of_a_part),
        TEST(not_reserved),
        TEST(said_once_on_a_node),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
