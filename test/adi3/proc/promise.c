/* promise.c — shared memory whose pages are taken when they are used: what is promised and not
 * touched is known to all processes of the node. */
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "fake.h"
#include "held.h"
#include "adi3/proc/node_segment.h"

enum { PART = 4 << 20, PARTS = 4 };

static size_t taken(int fd)
{
    struct stat st;

    CHECK(!fstat(fd, &st));
    return (size_t) st.st_blocks * 512;
}

static uint64_t promised(void) { return promise_sum(0); }

static void makes_another(void *arg)
{
    struct node_share s;

    (void) arg;
    CHECK(promised() == PARTS * PART - 4096);
    CHECK(!node_share_promise(PART, PART, 4096, &s) && s.promised > 0);
    CHECK(promised() == PARTS * PART + PART - 2 * 4096);
    memset(s.at, 'c', PART);
    CHECK(promised() == PARTS * PART - 4096);
    node_share_drop(&s);
}

/* Nothing is taken before it is used, and what is used is promised no longer: all see so. */
static void taken_when_used(void **state)
{
    struct node_share s;

    (void) state;
    assert_int_equal(promised(), 0);
    assert_int_equal(node_share_promise(PARTS * PART, PARTS * PART, 4096, &s), MPI_SUCCESS);
    assert_true(s.promised > 0);
    assert_int_equal(node_share_reserve(&s, PART, PART), MPI_SUCCESS);
    assert_int_equal(taken(s.fd), 4096);
    assert_int_equal(promised(), PARTS * PART - 4096);
    assert_int_equal(promise_sum(s.promised), 0);
    assert_int_equal(unit_wait(unit_fork(makes_another, NULL)), 0);
    memset((char *) s.at + PART, 'm', PART);
    assert_int_equal(promised(), (PARTS - 1) * PART - 4096);
    node_share_drop(&s);
    assert_int_equal(promised(), 0);
}

/* Nobody gives back what a dead process has promised: it is promised no longer. */
static void its_maker_is_dead(void **state)
{
    struct node_share s;

    (void) state;
    assert_int_equal(node_share_promise(PART, PART, 4096, &s), MPI_SUCCESS);
    struct node_promise *p = &segment_own.head->promise[s.promised - 1];
    uint32_t maker = p->owner;
    p->fd = -1; /* as when this process may not look into the maker */
    assert_int_equal(promised(), PART);
    p->owner = 3; /* the place of a process that has not come, or that is dead */
    assert_int_equal(promised(), 0);
    p->owner = maker;
    node_share_drop(&s);
}

/* When no row is left, memory is reserved as it was. */
static void more_than_there_are_rows(void **state)
{
    struct node_share s[NODE_PROMISES + 1], *last = &s[NODE_PROMISES];

    (void) state;
    for (int i = 0; i <= NODE_PROMISES; i++)
        assert_int_equal(node_share_promise(8192, 8192, 4096, &s[i]), MPI_SUCCESS);
    assert_true(last[-1].promised == NODE_PROMISES && last->promised == 0);
    assert_int_equal(promised(), NODE_PROMISES * 4096);
    assert_int_equal(node_share_reserve(last, 4096, 4096), MPI_SUCCESS);
    assert_int_equal(taken(last->fd), 8192);
    for (int i = 0; i <= NODE_PROMISES; i++)
        node_share_drop(&s[i]);
    assert_int_equal(promised(), 0);
}

/* Where the kernel may refuse a page at its first touch, memory is reserved as it was. The kernel's
 * file is another one, in a mount namespace of its own; exits with 77 when that is forbidden. */
static void in_a_strict_kernel(void *arg)
{
    struct node_share s;

    (void) arg;
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)
        || mount("none", "/tmp", "tmpfs", 0, NULL))
        _exit(77);
    FILE *f = fopen("/tmp/two", "w");
    CHECK(f && fputs("2\n", f) > 0 && !fclose(f));
    if (mount("/tmp/two", "/proc/sys/vm/overcommit_memory", NULL, MS_BIND, NULL))
        _exit(77);
    CHECK(!node_share_promise(PART, PART, 4096, &s) && !s.promised);
    CHECK(!node_share_reserve(&s, 0, PART) && taken(s.fd) == PART);
    node_share_drop(&s);
}

static void not_in_a_strict_kernel(void **state)
{
    int status = unit_wait(unit_fork(in_a_strict_kernel, NULL));

    (void) state;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_when_used),
        cmocka_unit_test(its_maker_is_dead),
        cmocka_unit_test(more_than_there_are_rows),
        cmocka_unit_test(not_in_a_strict_kernel),
    };

    return UNIT_RUN_BETWEEN(tests, fake_setup, fake_teardown);
}
