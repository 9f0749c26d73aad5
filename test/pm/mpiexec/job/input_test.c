/* input_test.c — standard input from a terminal whose lines another process takes. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/mpiexec/job/job_impl.h"

enum { LIMIT_S = 10 };

/* ---- what stands for the loop, the foreground and the ranks ---------------------------------- */

static struct pm_source *watched;
static int terminal;     /* the master end */
static int other;        /* the terminal, as another process has it open */
static bool other_reads; /* it takes the line that mpiexec has found */
static char forwarded[64];

int pm_loop_watch(int fd, bool readable, bool writable, struct pm_source *s)
{
    assert_true(isatty(fd) && readable && !writable);
    watched = s;
    return 0;
}

void pm_loop_drop(int fd)
{
    assert_true(isatty(fd));
    watched = NULL;
}

void pm_timer_set(struct pm_timer *t, int ms, void (*fire)(struct pm_timer *t))
{
    (void) t, (void) ms, (void) fire;
    fail();
}

void pm_timer_clear(struct pm_timer *t) { (void) t; }

/* input.c asks for this between the loop and its read. */
bool pm_is_in_foreground(void)
{
    char line[64];

    if (other_reads)
        assert_int_equal(read(other, line, sizeof line), 6);
    return true;
}

void pm_host_input(struct pm_host *h, int process, const char *bytes, size_t len)
{
    (void) h, (void) process;
    assert_true(len < sizeof forwarded);
    memcpy(forwarded, bytes, len);
    forwarded[len] = '\0';
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void line_arrives(const char *line)
{
    assert_int_equal(write(terminal, line, strlen(line)), strlen(line));
    forwarded[0] = '\0';
    watched->ready(watched);
}

/* mpiexec waits for no line: it serves other events until the loop finds the next one. */
static void line_of_another_reader(void **state)
{
    (void) state;
    (void) alarm(LIMIT_S);
    other_reads = true;
    line_arrives("other\n");
    assert_string_equal(forwarded, "");
    assert_non_null(watched);
    other_reads = false;
    line_arrives("first\n");
    assert_string_equal(forwarded, "first\n");
}

/* A shell that shares the terminal would not expect it of its own reads. */
static void standard_input_still_blocks(void **state)
{
    (void) state;
    assert_false(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK);
}

static int start(void **state)
{
    static struct pm_spec spec;
    static struct pm_host host;
    static struct pm_run run = { .spec = &spec };
    static struct pm_job job = { .run = &run, .size = 1 };
    static struct pm_rank rank = { .job = &job, .host = &host };

    job.rank = &rank;

    (void) state;
    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
        return -1;
    other = open(ptsname(terminal), O_RDONLY | O_NOCTTY);
    if (other < 0 || dup2(other, STDIN_FILENO) < 0)
        return -1;
    if (pm_input_add(&rank) != PM_INPUT_FORWARDED)
        return -1;
    pm_input_begin(&job);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_of_another_reader),
        cmocka_unit_test(standard_input_still_blocks),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
