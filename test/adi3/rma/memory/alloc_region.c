/* alloc_region.c — regions: memory of MPI_Alloc_mem that others can find, and theirs that is mapped
 * here. Each is there until its last user leaves, and then nothing of it is. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "fake.h"
#include "held.h"
#include "adi3/rma/memory/memory_impl.h"

enum { PAGE = ADI3_WIN_ALIGN, LEN = 3 * PAGE, MANY = 100, RANK = 7 };
static const char maps_name[] = "starling-share";

static int fds;
static bool no_place, no_reserve; /* the next call fails */

int __real_rma_share_place(struct node_share *s, size_t align);
int __wrap_rma_share_place(struct node_share *s, size_t align);
int __wrap_rma_share_place(struct node_share *s, size_t align)
{
    int err = no_place ? MPI_ERR_NO_MEM : __real_rma_share_place(s, align);

    no_place = false;
    return err;
}

int __real_rma_share_reserve(struct node_share *s, size_t at, size_t len);
int __wrap_rma_share_reserve(struct node_share *s, size_t at, size_t len);
int __wrap_rma_share_reserve(struct node_share *s, size_t at, size_t len)
{
    int err = no_reserve ? MPI_ERR_NO_MEM : __real_rma_share_reserve(s, at, len);

    no_reserve = false;
    return err;
}

static int setup(void **state)
{
    (void) state;
    fds = held_fds();
    return held_maps(maps_name);
}

static int teardown(void **state)
{
    (void) state;
    assert_int_equal(held_maps(maps_name), 0);
    assert_int_equal(held_fds(), fds);
    assert_true(share_socket_fd() < 0);
    return 0;
}

static char *make(size_t size, size_t align)
{
    void *base = NULL;

    assert_int_equal(adi3_alloc_region_make(size, align, &base), MPI_SUCCESS);
    return base;
}

static struct rma_alloc_region *of(const void *base, size_t size)
{
    struct adi3_win_region exposed;

    return rma_alloc_region_find(base, size, &exposed);
}

static bool is_all(const char *at, size_t len, char c)
{
    size_t i = 0;

    while (i < len && at[i] == c)
        i++;
    return i == len;
}

static bool says(int err, int errclass, const char *part)
{
    return fake_class(err) == errclass && strstr(adi3_error_text(err), part);
}

/* ---- the setting ----------------------------------------------------------------------------- */

static void two_words(void **state)
{
    const char *before = alloc_region_setting;

    (void) state;
    alloc_region_setting = "shared";
    assert_int_equal(alloc_region_init(), MPI_SUCCESS);
    assert_true(adi3_alloc_mem_shared);
    alloc_region_setting = "private";
    assert_int_equal(alloc_region_init(), MPI_SUCCESS);
    assert_false(adi3_alloc_mem_shared);
    const char *const wrong[] = { "", "Shared", "sharedx", "yes" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        alloc_region_setting = wrong[i];
        assert_true(says(alloc_region_init(), MPI_ERR_OTHER, "it is private or shared"));
        assert_false(adi3_alloc_mem_shared);
    }
    alloc_region_setting = before;
}

/* ---- of this process ------------------------------------------------------------------------- */

static void whole_pages_of_zeros(void **state)
{
    const size_t sizes[] = { 1, PAGE - 1, PAGE, PAGE + 1, LEN };

    (void) state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t align = 1; align <= 1 << 22; align *= 64) {
            size_t all = (sizes[i] + PAGE - 1) / PAGE * PAGE;
            char *at = make(sizes[i], align);
            assert_true((uintptr_t) at % PAGE == 0 && (uintptr_t) at % align == 0);
            assert_true(is_all(at, all, 0));
            memset(at, 'm', all);
            adi3_alloc_region_free(at);
        }
}

static void too_large(void **state)
{
    void *base = &fds;

    (void) state;
    int err = adi3_alloc_region_make(PTRDIFF_MAX - 2 * PAGE, 1, &base);
    assert_true(says(err, MPI_ERR_NO_MEM, "no 9223372036854767616 bytes"));
    err = adi3_alloc_region_make(1, (size_t) 1 << 62, &base); /* there are no such addresses */
    assert_int_equal(fake_class(err), MPI_ERR_NO_MEM);
    assert_ptr_equal(base, &fds);
}

static void no_memory(void **state)
{
    void *base = &fds;

    (void) state;
    no_place = true;
    assert_int_equal(adi3_alloc_region_make(LEN, 1, &base), MPI_ERR_NO_MEM);
    no_reserve = true;
    assert_int_equal(adi3_alloc_region_make(LEN, 1, &base), MPI_ERR_NO_MEM);
    assert_ptr_equal(base, &fds);
}

/* Memory is in a region as a whole, or not at all. */
static void found_by_its_memory(void **state)
{
    char *at = make(LEN - 5, 1);
    struct rma_alloc_region *a = of(at, LEN);

    (void) state;
    assert_non_null(a);
    assert_ptr_equal(of(at, 0), a);
    assert_ptr_equal(of(at + 1, LEN - 1), a);
    assert_ptr_equal(of(at + LEN - 1, 1), a);
    assert_ptr_equal(of(at + LEN - 1, 0), a);
    assert_null(of(at, LEN + 1));
    assert_null(of(at + 1, LEN));
    assert_null(of(at + 1, SIZE_MAX));
    assert_null(of(at + LEN, 0));
    assert_null(of(at - 1, 1));
    assert_null(of(at - 1, 0));
    assert_null(of(NULL, 0));
    assert_null(of(&fds, sizeof fds));
    adi3_alloc_region_free(at);
    assert_null(of(at, LEN));
}

static void how_others_find_it(void **state)
{
    char *at = make(LEN, 1);
    struct adi3_win_region exposed = { .share = { .len = 11, .share_socket = 5 } },
                           before = exposed;

    (void) state;
    assert_null(rma_alloc_region_find(at + LEN, 1, &exposed));
    assert_memory_equal(&exposed, &before, sizeof exposed);
    assert_non_null(rma_alloc_region_find(at + 100, 8, &exposed));
    assert_true(exposed.share.len == LEN && exposed.at == 100 && !exposed.share.number);
    assert_int_equal(exposed.share.pid, getpid());
    assert_true(exposed.share.file && os_file_number(exposed.share.fd) == exposed.share.file);
    adi3_alloc_region_free(at);
}

static void many_in_any_order(void **state)
{
    char *at[MANY];

    (void) state;
    for (int i = 0; i < MANY; i++)
        memset(at[i] = make(PAGE, 1), i, PAGE);
    assert_int_equal(held_fds(), fds + MANY);
    for (int left = MANY; left > 0; left--) {
        int i = (int) unit_random((uint32_t) left);
        struct rma_alloc_region *a = of(at[i], PAGE);
        assert_non_null(a);
        assert_true(is_all(at[i], PAGE, at[i][0]));
        adi3_alloc_region_free(at[i]);
        assert_null(of(at[i], PAGE));
        at[i] = at[left - 1];
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

/* A window in memory of this process: it is not mapped again, and keeps it. */
static void mapped_once_here(void **state)
{
    char *at = make(LEN, 1);
    struct adi3_win_region exposed;
    struct rma_view first, second;

    (void) state;
    struct rma_alloc_region *a = rma_alloc_region_find(at + 64, 8, &exposed);
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &first), MPI_SUCCESS);
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &second), MPI_SUCCESS);
    assert_true(first.region == a && second.region == a && first.at == at + 64);
    assert_int_equal(held_maps(maps_name), 1);
    rma_alloc_region_release(first.region);
    adi3_alloc_region_free(at);
    assert_true(is_all(at, LEN, 0)); /* the second window has it */
    assert_ptr_equal(of(at, LEN), a);
    rma_alloc_region_release(second.region);
    assert_null(of(at, LEN));
}

/* Of another process: found by its number, or asked for at its share socket. */
static struct adi3_win_region theirs(struct node_share *s)
{
    assert_int_equal(node_share_create(LEN, LEN, LEN, s), MPI_SUCCESS);
    memset(s->at, 't', LEN);
    return (struct adi3_win_region) { .share = { .len = LEN,
                                                 .file = os_file_number(s->fd),
                                                 .pid = (int32_t) getpid(),
                                                 .fd = s->fd },
                                      .at = 16 };
}

static void memory_of_another_process(void **state)
{
    struct node_share s;
    struct adi3_win_region exposed = theirs(&s);
    struct rma_view v, again;

    (void) state;
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &v), MPI_SUCCESS);
    assert_true(v.at != (char *) s.at + 16 && is_all(v.at, LEN - 16, 't'));
    assert_int_equal(held_fds(), fds + 1); /* of the maker */
    v.at[0] = 'v';
    assert_int_equal(((char *) s.at)[16], 'v');
    exposed.at = 32;
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &again), MPI_SUCCESS);
    assert_true(again.region == v.region && again.at == v.at + 16);
    assert_int_equal(held_maps(maps_name), 2);
    assert_null(of(v.at, 8)); /* it is not this process's to expose */
    node_share_drop(&s);
    rma_alloc_region_release(v.region);
    assert_true(is_all(again.at, LEN - 32, 't')); /* also when the maker has dropped it */
    rma_alloc_region_release(again.region);
}

static void no_memory_for_it_here(void **state)
{
    struct node_share s;
    struct adi3_win_region exposed = theirs(&s);
    struct rma_view v;

    (void) state;
    no_place = true;
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &v), MPI_ERR_NO_MEM);
    assert_int_equal(held_maps(maps_name), 1);
    assert_int_equal(held_fds(), fds + 1);
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &v), MPI_SUCCESS);
    rma_alloc_region_release(v.region);
    node_share_drop(&s);
}

/* Numbers of files are used again, with another length perhaps. */
static void another_region_of_that_number(void **state)
{
    struct node_share s;
    struct adi3_win_region exposed = theirs(&s);
    struct rma_view v, other;

    (void) state;
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &v), MPI_SUCCESS);
    exposed.share.len = PAGE;
    int err = rma_alloc_region_map(&exposed, RANK, &other);
    assert_true(says(err, MPI_ERR_OTHER, "shared memory has 12288 bytes instead of 4096"));
    assert_int_equal(held_maps(maps_name), 2);
    rma_alloc_region_release(v.region);
    node_share_drop(&s);
}

static void hidden(void **state)
{
    struct node_share s;
    struct adi3_win_region exposed = theirs(&s);
    struct rma_view v;

    (void) state;
    exposed.share.file++; /* what is at that descriptor now is something else */
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &v), ADI3_WIN_HIDDEN);
    exposed.share.file--;
    exposed.share.fd = -1;
    assert_int_equal(rma_alloc_region_map(&exposed, RANK, &v), ADI3_WIN_HIDDEN);
    exposed.share.number = 5; /* at a share socket that is not there */
    exposed.share.share_socket = 0x123456789abcdef;
    assert_true(
        says(rma_alloc_region_map(&exposed, RANK, &v), MPI_ERR_OTHER, "rank 7 does not pass on"));
    assert_int_equal(held_maps(maps_name), 1);
    node_share_drop(&s);
}

/* ---- share sockets --------------------------------------------------------------------------- */

static void asks_for_it(void *arg)
{
    struct adi3_win_region exposed = *(struct adi3_win_region *) arg;
    struct node_share mapped;

    share_socket_close(); /* the parent's */
    exposed.share.pid = -1;
    CHECK(!rma_share_open(&exposed.share, RANK, &mapped));
    CHECK(mapped.len == LEN && mapped.fd >= 0 && is_all(mapped.at, LEN, 'd'));
    ((char *) mapped.at)[1] = 'c';
    node_share_drop(&mapped);
    exposed.share.number++;
    int err = rma_share_open(&exposed.share, RANK, &mapped);
    CHECK(says(err, MPI_ERR_OTHER, "rank 7 does not pass on"));
}

static void serve(struct adi3_win_region *exposed)
{
    pid_t child = unit_fork(asks_for_it, exposed);
    int status = -1;

    while (waitpid(child, &status, WNOHANG) == 0)
        if (!progress_poll())
            os_yield();
    assert_int_equal(status, 0);
}

/* The share socket is open from the first window that needs it until the last such region ends. */
static void passed_on_at_the_socket(void **state)
{
    char *at = make(LEN, 1), *other = make(PAGE, 1);
    struct adi3_win_region exposed, second;

    (void) state;
    memset(at, 'd', LEN);
    struct rma_alloc_region *a = rma_alloc_region_find(at, 8, &exposed),
                            *b = rma_alloc_region_find(other, 8, &second);
    assert_int_equal(rma_alloc_region_open_socket(a, &exposed), MPI_SUCCESS);
    assert_true(exposed.share.number && exposed.share.share_socket == share_socket_name()
                && share_socket_fd() >= 0);
    assert_int_equal(progress_wanted & progress_share_socket.bit, progress_share_socket.bit);
    serve(&exposed);
    assert_int_equal(at[1], 'c');
    const uint64_t number = exposed.share.number;
    assert_int_equal(rma_alloc_region_open_socket(a, &exposed), MPI_SUCCESS);
    assert_true(exposed.share.number == number);
    assert_non_null(rma_alloc_region_find(at, 8, &exposed)); /* the next window tries without it */
    assert_int_equal(exposed.share.number, 0);
    assert_int_equal(rma_alloc_region_open_socket(b, &second), MPI_SUCCESS);
    assert_true(second.share.number && second.share.number != number);
    adi3_alloc_region_free(at);
    assert_true(share_socket_fd() >= 0 && progress_wanted & progress_share_socket.bit);
    adi3_alloc_region_free(other);
    assert_int_equal(progress_wanted & progress_share_socket.bit, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_words),
        TEST(whole_pages_of_zeros),
        TEST(too_large),
        TEST(no_memory),
        TEST(found_by_its_memory),
        TEST(how_others_find_it),
        TEST(many_in_any_order),
        TEST(mapped_once_here),
        TEST(memory_of_another_process),
        TEST(no_memory_for_it_here),
        TEST(another_region_of_that_number),
        TEST(hidden),
        TEST(passed_on_at_the_socket),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
