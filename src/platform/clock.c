/* clock.c — clocks and sleeping. */
#include <sys/stat.h>
#include <time.h>
#include "platform/os.h"

uint64_t os_time_ns(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

uint64_t os_processor_ns(int pid)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
        return 0;
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

int64_t os_wtime_offset;

double os_wtime(void) { return (double) ((int64_t) os_time_ns() + os_wtime_offset) * 1e-9; }

double os_wtick(void)
{
    struct timespec t;

    return clock_getres(CLOCK_MONOTONIC, &t) ? 1e-9 : (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Processes in different time namespaces have different clocks. */
uint64_t os_clock_id(void)
{
    struct stat s;

    return stat("/proc/self/ns/time", &s) ? 0 : (uint64_t) s.st_ino;
}

void os_sleep_ns(uint64_t ns)
{
    struct timespec t = { (time_t) (ns / 1000000000u), (long) (ns % 1000000000u) };

    (void) nanosleep(&t, NULL);
}
