/* unit.c — shared by the unit tests.
 *
 * CMocka prints lines about each test with print_message and print_error. The two functions here
 * replace those of CMocka, so that a test that passes prints nothing. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "unit.h"

void print_message(const char *const format, ...) { (void) format; }

void print_error(const char *const format, ...)
{
    static const char passed[] = "[  PASSED  ]";
    va_list args;

    if (!strncmp(format, passed, sizeof passed - 1))
        return;
    va_start(args, format);
    (void) vfprintf(stderr, format, args);
    va_end(args);
}

int unit_run(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
             CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", tests, count, setup, teardown);
}

pid_t unit_fork(void (*body)(void *arg), void *arg)
{
    pid_t parent = getpid(), pid = fork();

    if (pid)
        return pid;
    (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    body(arg);
    _exit(0);
}

int unit_wait(pid_t pid)
{
    int status = -1;
    pid_t ended;

    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    return ended == pid ? status : -1;
}

bool unit_ended_well(pid_t pid) { return unit_wait(pid) == 0; }

void unit_kill(pid_t pid)
{
    (void) kill(pid, SIGKILL);
    (void) unit_wait(pid);
}

uint32_t unit_random(uint32_t below)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t) ((state >> 32) * below >> 32);
}
