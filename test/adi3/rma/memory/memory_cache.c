/* memory_cache.c — the memory of a window that was freed is given to the next one of that length,
 * once, by the process that made it; what is not fit for that is freed at once. */
#include <string.h>
#include <sys/stat.h>
#include "fake.h"
#include "held.h"
#include "adi3/progress/progress_impl.h"
#include "adi3/rma/memory/memory_impl.h"

enum { LEN = 3 * 4096, MOST = 256 << 10 };
static const char maps_name[] = "starling-share";

static int fds;

static int setup(void **state)
{
    (void) state;
    fds = held_fds();
    return held_maps(maps_name);
}

static int teardown(void **state)
{
    (void) state;
    rma_cache_drop();
    assert_int_equal(held_maps(maps_name), 0);
    assert_int_equal(held_fds(), fds);
    return 0;
}

/* Of a window of this process, or of one that another process has made. */
static struct rma_memory memory(size_t len, uint64_t file, bool made)
{
    struct rma_memory m = { .file = file, .made = made, .reserved = true };

    assert_int_equal(node_share_create(len, len, len, &m.share), MPI_SUCCESS);
    memset(m.share.at, 'x', len);
    return m;
}

static bool is_all(const char *at, size_t len, char c)
{
    size_t i = 0;

    while (i < len && at[i] == c)
        i++;
    return i == len;
}

/* A window that has no memory yet. */
static struct rma_memory none(void) { return (struct rma_memory) { .share.fd = -1 }; }

static bool takes(size_t len)
{
    struct rma_memory m = none();

    if (rma_cache_take(&m, len)) {
        node_share_drop(&m.share);
        return true;
    }
    assert_true(!m.share.at && m.share.fd == -1 && !m.file && !m.made && !m.reserved);
    return false;
}

static bool finds(size_t len, uint64_t file)
{
    struct rma_memory m = none();
    const struct adi3_win_share exposed = { .len = len, .file = file };

    if (rma_cache_find(&m, &exposed)) {
        node_share_drop(&m.share);
        return true;
    }
    assert_true(!m.share.at && m.share.fd == -1 && !m.file && !m.made && !m.reserved);
    return false;
}

/* ---- taken by the maker ---------------------------------------------------------------------- */

static void nothing_is_kept_at_first(void **state)
{
    struct rma_memory empty = none();

    (void) state;
    assert_false(takes(LEN));
    assert_false(takes(0));
    assert_false(finds(LEN, 1));
    assert_false(finds(0, 0));
    rma_cache_put(&empty);
    assert_false(takes(0));
    assert_false(finds(0, 0));
    rma_cache_drop();
    rma_cache_drop();
}

static void taken_once_as_zeros(void **state)
{
    struct rma_memory m = memory(LEN, 7, true), next = none();
    const struct node_share was = m.share;

    (void) state;
    rma_cache_put(&m);
    assert_int_equal(held_maps(maps_name), 1);
    assert_false(takes(0));
    assert_false(takes(LEN - 1));
    assert_false(takes(LEN + 1));
    assert_true(rma_cache_take(&next, LEN));
    assert_true(next.share.at == was.at && next.share.fd == was.fd && next.share.len == LEN);
    assert_true(next.file == 7 && next.made && next.reserved);
    assert_true(is_all(next.share.at, LEN, 0));
    assert_false(takes(LEN));
    assert_false(finds(LEN, 7));
    node_share_drop(&next.share);
}

/* Again and again: each time it is the same memory. */
static void kept_after_each_window(void **state)
{
    struct rma_memory m = memory(LEN, 7, true);
    const void *at = m.share.at;

    (void) state;
    for (int i = 0; i < 100; i++) {
        rma_cache_put(&m);
        m = none();
        assert_true(rma_cache_take(&m, LEN));
        assert_true(m.share.at == at && is_all(at, LEN, 0));
        memset(m.share.at, i + 1, LEN);
    }
    node_share_drop(&m.share);
}

/* ---- found by the others --------------------------------------------------------------------- */

/* Its maker may be using it in another window, so it is never new memory. */
static void found_if_the_leader_offers_it(void **state)
{
    struct rma_memory m = memory(LEN, 7, false), next = none();
    const struct adi3_win_share exposed = { .len = LEN, .file = 7, .fd = 99, .pid = 1 };

    (void) state;
    rma_cache_put(&m);
    assert_false(takes(LEN));
    assert_false(finds(LEN, 8));
    assert_false(finds(LEN, 0));
    assert_false(finds(LEN - 1, 7));
    assert_false(finds(LEN + 1, 7));
    assert_true(rma_cache_find(&next, &exposed));
    assert_true(next.share.len == LEN && next.file == 7 && !next.made && next.reserved);
    assert_true(is_all(next.share.at, LEN, 'x')); /* the leader clears it */
    assert_false(finds(LEN, 7));
    node_share_drop(&next.share);
}

/* The maker is not always the leader of the next window. */
static void the_maker_finds_it_too(void **state)
{
    struct rma_memory m = memory(LEN, 7, true);

    (void) state;
    rma_cache_put(&m);
    assert_true(finds(LEN, 7));
    assert_false(takes(LEN));
}

/* ---- what is not kept ------------------------------------------------------------------------ */

static void the_last_one_is_kept(void **state)
{
    struct rma_memory first = memory(LEN, 7, true), second = memory(2 * LEN, 8, true);

    (void) state;
    rma_cache_put(&first);
    rma_cache_put(&second);
    assert_int_equal(held_maps(maps_name), 1);
    assert_int_equal(held_fds(), fds + 1);
    assert_false(takes(LEN));
    assert_false(finds(LEN, 7));
    assert_true(takes(2 * LEN));
}

/* What cannot be kept is freed, and what was kept before stays. */
static void the_unfit_are_freed(void **state)
{
    struct rma_memory kept = memory(LEN, 7, true), m = memory(MOST + 1, 8, true);

    (void) state;
    rma_cache_put(&kept);
    rma_cache_put(&m);
    assert_true(!m.share.at && m.share.fd == -1 && held_maps(maps_name) == 1);
    m = memory(LEN, 9, true);
    m.reserved = false; /* some process has not got its part */
    rma_cache_put(&m);
    assert_true(!m.share.at && held_maps(maps_name) == 1);
    m = memory(LEN, 10, true);
    (void) close(m.share.fd); /* this is how private memory looks: it has none */
    m.share.fd = -1;
    rma_cache_put(&m);
    assert_true(!m.share.at && held_maps(maps_name) == 1);
    m = none(); /* of a window that failed before */
    rma_cache_put(&m);
    assert_false(finds(LEN, 9));
    assert_true(finds(LEN, 7));
}

static void as_long_as_may_be(void **state)
{
    struct rma_memory m = memory(MOST, 7, true);

    (void) state;
    rma_cache_put(&m);
    assert_true(takes(MOST));
}

/* What is exposed at the share socket is withdrawn there when it is dropped. */
static void withdrawn_when_dropped(void **state)
{
    struct rma_memory m = memory(LEN, 7, true);

    (void) state;
    assert_int_equal(node_share_expose(&m.share), MPI_SUCCESS);
    assert_true(share_socket_fd() >= 0);
    rma_cache_put(&m);
    assert_true(share_socket_fd() >= 0);
    rma_cache_drop();
    assert_true(share_socket_fd() < 0);
    assert_false(takes(LEN));
}

/* ---- large memory ---------------------------------------------------------------------------- */

enum { LARGE = 1 << 20, LARGE_MOST = 64 << 20 };

/* Its pages are taken when they are used. */
static struct rma_memory promised(size_t len, bool made)
{
    struct rma_memory m = { .file = 7, .made = made, .reserved = true, .count = 1 };

    assert_int_equal(node_share_create(len, len, rma_controls_len(1), &m.share), MPI_SUCCESS);
    m.share.promised = NODE_PROMISED;
    return m;
}

static size_t pages_of(int fd)
{
    struct stat st;

    assert_int_equal(fstat(fd, &st), 0);
    return (size_t) st.st_blocks * 512 / 4096;
}

static void promised_memory_is_kept_without_pages(void **state)
{
    struct rma_memory m = promised(LARGE, true), next = none();
    const struct node_share was = m.share;

    (void) state;
    memset(m.share.at, 'x', LARGE);
    assert_int_equal(pages_of(was.fd), LARGE / 4096);
    rma_cache_put(&m);
    assert_int_equal(held_maps(maps_name), 1);
    assert_int_equal(pages_of(was.fd), rma_controls_len(1) / 4096);
    assert_true(is_all(was.at, rma_controls_len(1), 'x')); /* others may still read these */
    assert_true(rma_cache_take(&next, LARGE));
    assert_true(next.share.at == was.at && next.share.promised == NODE_PROMISED);
    assert_int_equal(pages_of(was.fd), 0);
    assert_true(is_all(next.share.at, LARGE, 0));
    node_share_drop(&next.share);
}

/* Its maker gives the pages back: it may have done so and use the memory again. */
static void others_give_no_pages_back(void **state)
{
    struct rma_memory m = promised(LARGE, false);

    (void) state;
    memset(m.share.at, 'x', LARGE);
    rma_cache_put(&m);
    assert_true(is_all(m.share.at, LARGE, 'x'));
    assert_true(finds(LARGE, 7));
}

/* Nobody else may be promised what is promised to it. */
static void promised_memory_is_kept_for_a_while(void **state)
{
    struct rma_memory m = promised(LARGE, true), small = memory(LEN, 8, true);

    (void) state;
    rma_cache_put(&m);
    progress_tick();
    assert_false(rma_cache_is_empty());
    for (int i = 0; i < 3; i++)
        progress_tick();
    assert_true(rma_cache_is_empty() && held_maps(maps_name) == 1);
    rma_cache_put(&small);
    for (int i = 0; i < 10; i++)
        progress_tick();
    assert_true(takes(LEN));
}

static void promised_memory_may_be_large(void **state)
{
    struct rma_memory m = promised(LARGE_MOST, true), more = promised(LARGE_MOST + 4096, true);

    (void) state;
    rma_cache_put(&m);
    rma_cache_put(&more);
    assert_true(!more.share.at && held_maps(maps_name) == 1);
    assert_true(takes(LARGE_MOST));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_kept_at_first),     TEST(taken_once_as_zeros),
        TEST(kept_after_each_window),       TEST(found_if_the_leader_offers_it),
        TEST(the_maker_finds_it_too),       TEST(the_last_one_is_kept),
        TEST(the_unfit_are_freed),          TEST(as_long_as_may_be),
        TEST(withdrawn_when_dropped),       TEST(promised_memory_is_kept_without_pages),
        TEST(others_give_no_pages_back),    TEST(promised_memory_is_kept_for_a_while),
        TEST(promised_memory_may_be_large),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
