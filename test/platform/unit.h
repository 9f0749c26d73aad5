/* unit.h — shared by the unit tests: groups that print nothing when they pass, child processes,
 * random numbers. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>
#include <cmocka.h>
#include "../test_size.h"

#define UNIT_RUN(tests) UNIT_RUN_BETWEEN(tests, NULL, NULL)
#define UNIT_RUN_BETWEEN(tests, setup, teardown)                                                   \
    unit_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
int unit_run(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
             CMFixtureFunction teardown);

/* For forked processes, where an assertion of CMocka would continue with the tests of the
 * parent. */
#define CHECK(c)                                                                                   \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            (void) fprintf(stderr, "%s:%d: pid %d: %s\n", __FILE__, __LINE__, (int) getpid(), #c); \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* Forks a process that runs body and exits with 0. It dies with its parent. */
pid_t unit_fork(void (*body)(void *arg), void *arg);
int unit_wait(pid_t pid);        /* returns the status of waitpid */
bool unit_ended_well(pid_t pid); /* waits; true when it exited with 0 */
void unit_kill(pid_t pid);       /* SIGKILL, and waits */

/* A pseudo-random number 0 <= n < below, the same sequence in each run. */
uint32_t unit_random(uint32_t below);

#endif /* UNIT_H */
