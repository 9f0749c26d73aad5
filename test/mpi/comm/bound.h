/* bound.h — processes of a node that are bound to cores of a synthetic machine. hwloc gets a
 * machine of two packages of two caches of two cores of two threads, and the program replaces the
 * kernel's answer when the library asks for its cores. */
#ifndef BOUND_H
#define BOUND_H

#include <sched.h>
#include <stdint.h>
#include "mpitest.h"

#if HAVE_HWLOC
enum { BOUND_KNOWN = 1 };
#else
enum { BOUND_KNOWN = 0 }; /* the library was built without hwloc */
#endif

static uint16_t bound_cpus; /* of this process; bit i: thread i of the machine */

static inline void bound_begin(void)
{
    const char *rank = getenv("PMI_RANK");
    int r = rank ? atoi(rank) : 0;

    setenv("HWLOC_SYNTHETIC", "pack:2 [numa] l3:2 core:2 pu:2", 1);
    bound_cpus = (uint16_t) (1u << (r % 2 * 8 + r / 2 % 8)); /* packages in turn */
}

int sched_getaffinity(pid_t pid, size_t len, cpu_set_t *set)
{
    (void) pid;
    memset(set, 0, len);
    for (int i = 0; i < 16; i++)
        if (bound_cpus >> i & 1)
            CPU_SET_S(i, len, set);
    return 0;
}

#endif /* BOUND_H */
