/* chance.c — decides when the chaos device disturbs: its random numbers, the settings that they are
 * compared with, and counts of what it did. */
#include "devices/chaos/chance.h"
#include "platform/golden_ratio.h"

enum { LONGEST_STALL = 6 /* 2^6 polls */ };

struct chaos_counts chaos_counts;

#define ROW(what, unit, doc)                                                                       \
    COUNTER_ROW("chaos_" #what, COUNTER_EVENTS, chaos_counts.what, unit, doc)

const struct counter chaos_counters[] = {
    ROW(refused, "times", "How often packets to a peer began to be refused."),
    ROW(held_out, "times", "How often packets to a peer were held back."),
    ROW(held_in, "times", "How often packets from a peer were held back."),
    ROW(torn, "packets", "How many packets were handed on in several parts."),
    ROW(reordered, "polls", "How many polls did not begin with the first peer."),
    ROW(dropped, "peers", "How many peers were cut off."),
    ROW(not_got, "reads", "How many reads of a peer's memory failed."),
    ROW(not_put, "writes", "How many writes to a peer's memory failed."),
    ROW(held_put, "times", "How often writes to a peer's memory were held back."),
    ROW(reordered_put, "writes", "How many writes to a peer's memory overtook others."),
    ROW(not_atomic, "operations", "How many atomic operations on a peer's memory failed."),
    ROW(held_atomic, "times", "How often atomic operations on a peer's memory were held back."),
    ROW(reordered_atomic, "operations",
        "How many atomic operations on a peer's memory overtook others."),
    { 0 }
};

int chaos_seed, chaos_delay, chaos_again, chaos_tear, chaos_no_get, chaos_no_put, chaos_drop_peer,
    chaos_drop_after;

static uint64_t state;

void chaos_begin(int rank) { state = ((uint64_t) (uint32_t) chaos_seed << 20) + (uint64_t) rank; }

unsigned chaos_random(unsigned below) /* splitmix64 */
{
    uint64_t z = state += GOLDEN_RATIO_64;

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned) ((z ^ z >> 31) >> 32) % below;
}

bool chaos_happens(int percent) { return (int) chaos_random(100) < percent; }

/* Whether packets of this peer are held back in this poll. Those of a dead process are not: ADI3
 * takes them with a limited number of polls. */
bool chaos_stalls(struct chaos_peer *p, unsigned *polls, uint64_t *count)
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
