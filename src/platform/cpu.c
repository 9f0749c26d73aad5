/* cpu.c — spinning, and the cores that this process may use. */
#include <sched.h>
#include "platform/os.h"

void os_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::
                         : "memory"); /* "yield" does nothing on most cores; "isb" takes some ns */
#else
    __asm__ volatile("" ::: "memory");
#endif
}

void os_yield(void) { (void) sched_yield(); }

int os_cpu(void) { return sched_getcpu(); }

bool os_cpu_move(int cpu)
{
    cpu_set_t allowed, there;

    if (sched_getaffinity(0, sizeof allowed, &allowed) || !CPU_ISSET(cpu, &allowed))
        return false;
    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    if (sched_setaffinity(0, sizeof there, &there))
        return false;
    (void) sched_setaffinity(0, sizeof allowed, &allowed);
    return true;
}

void os_cpus_allowed(struct os_cpus *set)
{
    cpu_set_t cpus;

    _Static_assert(OS_CPUS <= CPU_SETSIZE, "CPU_ISSET() takes all numbers");
    *set = (struct os_cpus) { { 0 } };
    if (sched_getaffinity(0, sizeof cpus, &cpus))
        set->bits[0] = 1;
    else
        for (int i = 0; i < OS_CPUS; i++)
            if (CPU_ISSET(i, &cpus))
                set->bits[i / 64] |= 1ull << i % 64;
}

void os_cpus_join(struct os_cpus *set, const struct os_cpus *other)
{
    for (int i = 0; i < OS_CPUS / 64; i++)
        set->bits[i] |= other->bits[i];
}

int os_cpus_count(const struct os_cpus *set)
{
    int n = 0;

    for (int i = 0; i < OS_CPUS / 64; i++)
        n += __builtin_popcountll(set->bits[i]);
    return n;
}
