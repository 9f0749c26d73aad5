/* chance.h — random numbers, settings and counts of the chaos device; also for its tests. */
#ifndef CHANCE_H
#define CHANCE_H

#include "devices/chaos/record.h"
#include "platform/counter.h"

/* How often each disturbance happened. Readers find it by the rows: tests check that it did. */
struct chaos_counts {
    uint64_t refused, held_in, held_out, torn, not_got, reordered, dropped;
    uint64_t not_put, held_put, reordered_put;
    uint64_t not_atomic, held_atomic, reordered_atomic;
};
extern struct chaos_counts chaos_counts;
extern const struct counter chaos_counters[];

/* Settings. In percent, except the seed, the rank and the number of packets. */
extern int chaos_seed, chaos_delay, chaos_again, chaos_tear, chaos_no_get, chaos_no_put,
    chaos_drop_peer, chaos_drop_after;

/* Starts the random numbers anew, different ones in each process. */
void chaos_begin(int rank);
unsigned chaos_random(unsigned below);
bool chaos_happens(int percent);
bool chaos_stalls(struct chaos_peer *p, unsigned *polls, uint64_t *count);

#endif /* CHANCE_H */
