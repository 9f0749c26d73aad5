/* clock.c — time. */
#include <time.h>
#include "os.h"

uint64_t os_time_ns(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

double os_wtime(void) { return (double) os_time_ns() * 1e-9; }

double os_wtick(void)
{
    struct timespec t;

    return clock_getres(CLOCK_MONOTONIC, &t) ? 1e-9 : (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

void os_sleep_ns(uint64_t ns)
{
    struct timespec t = { (time_t) (ns / 1000000000u), (long) (ns % 1000000000u) };

    (void) nanosleep(&t, NULL);
}
