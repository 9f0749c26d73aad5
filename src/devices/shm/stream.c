/* stream.c — long messages through a ring: written through the cache, or past it.
 *
 * Cores that share a cache pass a line on in its place. To cores far apart each line of the ring
 * must first come back from the reader's cache before it can be written, and then go there again;
 * written past the cache it goes one way. In 4 KiB pieces, 1 MiB moved with 14 GB/s near and 3.4
 * far through the cache, with 10 and 8.6 past it. Cores come near and go far while a program runs
 * (they are a hypervisor's, or the kernel moves the processes): so each writer keeps running
 * averages of what a line costs it either way. */
#include "shm.h"

enum {
    OTHER_WAY = 32, /* turns, of which one goes the way that seemed worse */
    ENOUGH = 128,   /* lines, below which the time says little */
    WEIGHT = 4,     /* of all before, against one of the newest */
};

bool shm_pace_streams(const struct shm_pace *p) { return p->cost[1] && p->cost[1] < p->cost[0]; }

bool shm_pace_choose(struct shm_pace *p)
{
    bool stream = shm_pace_streams(p);

    if (!os_can_stream())
        return false;
    if (!p->cost[0] || !p->cost[1])
        return p->cost[0];
    return ++p->turns % OTHER_WAY == 0 ? !stream : stream;
}

/* Who lost the core meanwhile has not measured the way: no more than twice as much is believed. */
void shm_pace_note(struct shm_pace *p, bool stream, unsigned lines, uint64_t ns)
{
    uint32_t *cost = &p->cost[stream];

    if (lines < ENOUGH)
        return;
    uint64_t now = ns * 1000 / lines + 1, most = *cost ? 2ull * *cost : 1000000;
    if (now > most)
        now = most;
    *cost = *cost ? (uint32_t) ((WEIGHT * (uint64_t) *cost + now) / (WEIGHT + 1)) : (uint32_t) now;
}

/* The first and last lines are shared with words that say more: they go through the cache. */
void shm_stream(const void *entry, char *to, const char *from, size_t len)
{
    os_will_write(entry);
    for (int i = 0; i < 3; i++)
        os_will_write(to + len - 1 + i * OS_LINE);
    os_stream(to, from, len);
}
