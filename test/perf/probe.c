/* probe.c — ping-pong with a cache line. */
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include "probe.h"

enum { BATCHES = 9, ROUNDS = 64, NEAR_BELOW_NS = 150, FAR_ABOVE_NS = 200, PATIENCE = 1 << 16 };

double probe_now(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* The other side may have lost its core to another process. */
static void await(struct probe *p, unsigned turn)
{
    for (unsigned spins = 1; atomic_load_explicit(&p->turn, memory_order_acquire) != turn; spins++)
        if (spins % PATIENCE == 0)
            (void) sched_yield();
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

double probe_play(struct probe *p, int side)
{
    double ns[BATCHES];
    unsigned turn = 0;

    for (int b = 0; b < BATCHES; b++) {
        double start = probe_now();
        for (int i = 0; i < ROUNDS; i++, turn += 2) {
            await(p, turn + (unsigned) side);
            atomic_store_explicit(&p->turn, turn + (unsigned) side + 1, memory_order_release);
        }
        ns[b] = (probe_now() - start) * 1e9 / ROUNDS / 2;
    }
    if (side)
        return 0;
    await(p, turn);
    qsort(ns, BATCHES, sizeof *ns, by_value);
    return ns[BATCHES / 2];
}

static enum probe_distance class_of(double ns)
{
    if (ns < 0)
        return PROBE_ONE_CORE;
    return ns < NEAR_BELOW_NS ? PROBE_NEAR : ns > FAR_ABOVE_NS ? PROBE_FAR : PROBE_MIXED;
}

enum probe_distance probe_class(double before_ns, double after_ns)
{
    enum probe_distance d = class_of(before_ns);

    return class_of(after_ns) == d ? d : PROBE_MIXED;
}

const char *probe_name(enum probe_distance d)
{
    static const char *const name[] = { "near", "far", "mixed", "one-core" };

    return name[d];
}

int probe_cores(cpu_set_t *all)
{
    cpu_set_t mine;

    if (sched_getaffinity(0, sizeof mine, &mine))
        CPU_ZERO(&mine);
    for (int i = 0; i < CPU_SETSIZE; i++)
        CPU_SET(i, all);
    /* The kernel reduces the widest mask to the cores that there are. */
    if (sched_setaffinity(0, sizeof *all, all) || sched_getaffinity(0, sizeof *all, all))
        *all = mine;
    (void) sched_setaffinity(0, sizeof mine, &mine);
    return CPU_COUNT(all);
}

bool probe_pin(int nth)
{
    cpu_set_t all, one;
    int seen = 0, cores = probe_cores(&all);

    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && cores; i++)
        if (CPU_ISSET(i, &all) && seen++ == nth % cores)
            CPU_SET(i, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}
