/* chance.c — decides when the chaos device disturbs: its random numbers, the settings that they are
 * compared with, and counts of what it did. */
#include "devices/chaos/chance.h"

enum { LONGEST_STALL = 6 /* 2^6 polls */ };

struct chaos_counts chaos_counts;
int chaos_seed, chaos_delay, chaos_again, chaos_tear, chaos_no_get, chaos_no_put, chaos_drop_peer,
    chaos_drop_after;

static uint64_t state;

void chaos_begin(int rank) { state = ((uint64_t) (uint32_t) chaos_seed << 20) + (uint64_t) rank; }

unsigned chaos_random(unsigned below) /* splitmix64 */
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned) ((z ^ z >> 31) >> 32) % below;
}

bool chaos_happens(int percent) { return (int) chaos_random(100) < percent; }

/* Whether packets of this peer are held back in this poll. Those of a dead process are not: ADI3
 * takes them with a limited number of polls. */
bool chaos_stalls(struct chaos_peer *p, unsigned *polls, unsigned long *count)
{
    const struct dev_node *node = p->outer->node;

    if (p->lost)
        return false;
    if (*polls) {
        --*polls;
        return true;
    }
    if (!chaos_happens(chaos_delay)
        || (node && p->outer->local != node->index && !node->alive(node, p->outer->local)))
        return false;
    *polls = chaos_random(1u << chaos_random(LONGEST_STALL + 1));
    ++*count;
    return true;
}
