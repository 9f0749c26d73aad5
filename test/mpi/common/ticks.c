/* ticks.c — with TEST_TICKS in the environment a signal interrupts the program 1,000 times a
 * second.
 *
 * Its handler is installed without SA_RESTART, so that each system call that can be interrupted is,
 * and the program must not notice (§2.9.2). The file is linked into all MPI programs of the tests.
 * The timer ends with an exec, and a forked child has none. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { TICK_NS = 1000000 };

static void tick(int number) { (void) number; }

__attribute__((constructor)) static void begin(void)
{
    const struct sigaction action = { .sa_handler = tick };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 5 };
    const struct itimerspec each = { { 0, TICK_NS }, { 0, TICK_NS } };
    timer_t timer;

    if (getenv("TEST_TICKS")
        && (sigaction(event.sigev_signo, &action, NULL)
            || timer_create(CLOCK_MONOTONIC, &event, &timer)
            || timer_settime(timer, 0, &each, NULL)))
        abort();
}
