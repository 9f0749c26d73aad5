/* stream.c — two ways to write a long message into a ring: through the cache, or past it.
 *
 * Cores that share a cache reuse the lines of a ring where they are. Between cores that are far
 * apart each line must first come back from the reader's cache before it can be written, and then
 * go there again; written past the cache it goes one way. In entries of 4 KiB, 1 MiB moved at 14
 * GB/s between near cores and 3.4 between far ones through the cache, and at 10 and 8.6 past it.
 * Cores can become near or far while a program runs (a hypervisor moves them, or the kernel moves
 * the processes). So each writer keeps running averages of what a line costs it either way. */
#include "devices/shm/stream.h"

enum {
    OTHER_WAY = 32, /* one of so many turns takes the way that seems worse */
    ENOUGH = 128,   /* lines: the time of fewer says little */
    WEIGHT = 4,     /* of the average so far; the newest time has 1 */
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

/* Takes the time of so many lines into the average. A process that lost its core meanwhile has
 * measured that instead: so a time counts as twice the average at most. */
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

/* Copies payload into an entry past the cache. The first and last lines, and two lines behind, go
 * through the cache: they are shared with words, which are written next. */
void shm_stream(const void *entry, char *to, const char *from, size_t len)
{
    os_will_write(entry);
    for (int i = 0; i < 3; i++)
        os_will_write(to + len - 1 + i * OS_LINE);
    os_stream(to, from, len);
}
