/* os_process.c — reading the memory of another process, random numbers, and death with the
 * parent. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "platform/os.h"
#include "unit.h"

enum { LEN = 300000, PAGE = 4096 };

static int ready[2], go[2], fill;
static char *theirs; /* at the same address in parent and child */

static void offers(void *arg)
{
    char c;

    (void) arg;
    (void) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    for (int i = 0; i < fill; i++)
        theirs[i] = (char) (i * 7 + i / 256);
    CHECK(write(ready[1], "", 1) == 1);
    CHECK(read(go[0], &c, 1) == 1);
}

static pid_t start_offering(int len)
{
    char c;

    fill = len;
    assert_true(!pipe(ready) && !pipe(go));
    pid_t child = unit_fork(offers, NULL);
    assert_int_equal(read(ready[0], &c, 1), 1);
    return child;
}

static void stop_offering(pid_t child)
{
    assert_int_equal(write(go[1], "", 1), 1);
    assert_true(unit_ended_well(child));
    for (int i = 0; i < 2; i++)
        (void) close(ready[i]), (void) close(go[i]);
}

static bool permitted(pid_t child)
{
    char c;
    int err = os_cma_read(child, &c, theirs, 1);

    if (err == -EPERM || err == -ENOSYS)
        (void) fprintf(stderr, "skipped: reading another process is not permitted here\n");
    return err != -EPERM && err != -ENOSYS;
}

static void reads_all_or_fails(void **state)
{
    char *mine = malloc(LEN + 1);

    (void) state;
    theirs = os_map(-1, LEN + PAGE);
    assert_true(mine && theirs);
    pid_t child = start_offering(LEN);
    bool can = permitted(child);
    if (can) {
        mine[LEN] = 'x';
        assert_int_equal(os_cma_read(child, mine, theirs, LEN), 0);
        for (int i = 0; i < LEN; i++)
            assert_int_equal(mine[i], (char) (i * 7 + i / 256));
        assert_int_equal(mine[LEN], 'x');
        assert_int_equal(os_cma_read(child, mine, theirs + 5, 1), 0);
        assert_int_equal(mine[0], 35);
        assert_int_equal(os_cma_read(child, mine, theirs, 0), 0);
        assert_int_equal(os_cma_read(child, mine, (void *) 16, 1), -EFAULT);
        assert_int_equal(os_cma_write(child, "new", theirs + 7, 3), 0);
        assert_int_equal(os_cma_read(child, mine, theirs + 6, 5), 0);
        assert_memory_equal(mine + 1, "new", 3);
        assert_int_equal(mine[0], 42);
        assert_int_equal(mine[4], 70);
        assert_int_equal(os_cma_write(child, mine, (void *) 16, 1), -EFAULT);
    }
    stop_offering(child);
    os_unmap(theirs, LEN + PAGE);
    free(mine);
    if (!can)
        skip();
}

/* The kernel reads the first part and returns its length: this must be an error. */
static void partly_unreadable(void **state)
{
    char *mine = malloc(LEN);

    (void) state;
    theirs = os_map(-1, LEN + PAGE);
    assert_true(mine && theirs);
    assert_int_equal(mprotect(theirs + 64 * PAGE, PAGE, PROT_NONE), 0);
    pid_t child = start_offering(64 * PAGE);
    bool can = permitted(child);
    if (can)
        assert_int_equal(os_cma_read(child, mine, theirs + 64 * PAGE - 100, 20000), -EFAULT);
    stop_offering(child);
    os_unmap(theirs, LEN + PAGE);
    free(mine);
    if (!can)
        skip();
}

static void of_the_dead(void **state)
{
    char c;

    (void) state;
    theirs = os_map(-1, LEN);
    pid_t child = start_offering(64 * PAGE);
    unit_kill(child);
    int err = os_cma_read(child, &c, theirs, 1);
    os_unmap(theirs, LEN);
    for (int i = 0; i < 2; i++)
        (void) close(ready[i]), (void) close(go[i]);
    if (err == -ENOSYS) /* an emulated kernel */
        skip();
    assert_int_equal(err, -ESRCH);
}

static void random_numbers_differ(void **state)
{
    unsigned char a[1000] = { 0 }, b[1000] = { 0 };
    int zeros = 0;

    (void) state;
    assert_true(!os_random(a, sizeof a - 1) && !os_random(b, sizeof b - 1));
    assert_true(memcmp(a, b, 32) && a[999] == 0);
    for (int i = 0; i < 999; i++)
        zeros += a[i] == 0;
    assert_true(zeros < 50);
    assert_int_equal(os_random(a, 0), 0);
}

static void names(void **state)
{
    char whole[256], cut[4] = "###";

    (void) state;
    os_hostname(whole, sizeof whole);
    assert_true(whole[0] && strlen(whole) < sizeof whole);
    os_hostname(cut, sizeof cut);
    assert_true(strlen(cut) <= 3);
    assert_int_equal(os_thread_id(), getpid());
}

/* ---- death ----------------------------------------------------------------------------------- */

static void grandchild(int up)
{
    char c = 0;

    os_die_with_parent();
    CHECK(write(up, &c, 1) == 1);
    for (;;)
        (void) pause();
}

static void parent_of_one(void *arg)
{
    int *p = arg;

    (void) prctl(PR_SET_PDEATHSIG, 0);
    if (!fork())
        grandchild(p[1]);
    for (;;)
        (void) pause();
}

/* The pipe is at its end when the last process with its write end has ended. */
static void dies_with_its_parent(void **state)
{
    int p[2];
    char c;

    (void) state;
    assert_int_equal(pipe(p), 0);
    pid_t child = unit_fork(parent_of_one, p);
    (void) close(p[1]);
    assert_int_equal(read(p[0], &c, 1), 1);
    unit_kill(child);
    struct pollfd gone = { .fd = p[0], .events = POLLIN };
    assert_int_equal(poll(&gone, 1, 5000), 1);
    assert_int_equal(read(p[0], &c, 1), 0);
    (void) close(p[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_or_fails),
        cmocka_unit_test(partly_unreadable),
        cmocka_unit_test(of_the_dead),
        cmocka_unit_test(random_numbers_differ),
        cmocka_unit_test(names),
        cmocka_unit_test(dies_with_its_parent),
    };

    return UNIT_RUN(tests);
}
