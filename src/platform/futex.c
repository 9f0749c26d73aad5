/* futex.c — sleeps on a word of shared memory. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "platform/os.h"

int os_futex_wait(_Atomic uint32_t *word, uint32_t expect, uint64_t timeout_ns)
{
    struct timespec t = { (time_t) (timeout_ns / 1000000000u), (long) (timeout_ns % 1000000000u) };

    return syscall(SYS_futex, word, FUTEX_WAIT, expect, &t, NULL, 0) ? -errno : 0;
}

void os_futex_wake(_Atomic uint32_t *word, int count)
{
    (void) syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
}
