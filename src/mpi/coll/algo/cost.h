/* cost.h — what algorithms take between nodes, for the choice among them.
 *
 * The LogGP model: a message of n bytes between two nodes takes an overhead of its sender and one
 * of its receiver, and passes the adapter of each node and the network between them. An adapter
 * passes one message after the other; ranks of one node copy. doc/scale.md has the numbers, and
 * test/scale runs schedules in the same model. What matters is whether bytes, latencies or
 * overheads take most of the time, so the numbers serve networks that are slower or faster in all.
 * Costs are whole nanoseconds, so that all processes choose the same algorithm. */
#ifndef COST_H
#define COST_H

#include "mpi/coll/coll.h"

enum { COST_OVERHEAD = 250, COST_LATENCY = 1200, COST_GAP = 20, COST_NEAR = 120 };

/* Bytes in an adapter; copied within a node; copied or combined by a process. */
static inline uint64_t cost_bytes(uint64_t n) { return n * 2 / 25; }
static inline uint64_t cost_copy(uint64_t n) { return n / 10; }
static inline uint64_t cost_work(uint64_t n) { return n / 8; }

/* A message, from the call that sends it to the end of its receive. */
static inline uint64_t cost_far(uint64_t n)
{
    return 2 * COST_OVERHEAD + COST_LATENCY + COST_GAP + cost_bytes(n);
}
static inline uint64_t cost_near(uint64_t n) { return COST_NEAR + cost_copy(n); }

static inline uint64_t cost_larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* One more message of the same process; and one more to receive and combine. */
static inline uint64_t cost_next(uint64_t n)
{
    return cost_larger(COST_OVERHEAD, COST_GAP + cost_bytes(n));
}
static inline uint64_t cost_next_combined(uint64_t n)
{
    return cost_larger(COST_GAP + cost_bytes(n), COST_OVERHEAD + cost_work(n));
}

/* Where the processes are. */
struct cost_place {
    uint64_t p, nodes, each; /* processes, their nodes, and those of the largest node */
    bool in_order;           /* the ranks of each node follow each other */
};

struct cost_place cost_place_of(const struct coll *x);

static inline struct cost_place cost_leaders(const struct cost_place *at)
{
    return (struct cost_place) { at->nodes, at->nodes, 1, true };
}

static inline bool cost_power_of_two(uint64_t p) { return (p & (p - 1)) == 0; }
unsigned cost_log2(uint64_t n); /* rounded down, for n > 0 */
static inline unsigned cost_rounds(uint64_t p) { return p > 1 ? cost_log2(p - 1) + 1 : 0; }

/* On nodes of so many processes messages among them take less than phases in their memory, where a
 * process looks at the flag of each other one: then flat algorithms compete. Fewer share cores
 * often, and phases have fewer waits. */
enum { COST_CROWD = 16 };

/* All processes of a node see that one has come, or one that all others have. */
static inline uint64_t cost_flags(uint64_t each) { return COST_NEAR + each * COST_NEAR / 3; }

/* Phases within the largest node, where choices are measured: through its memory in a blocking
 * call, else by messages (bcast.c, reduce.c). */
uint64_t cost_bcast_phase(const struct coll *x, const struct cost_place *at, size_t len);
uint64_t cost_reduce_phase(const struct coll *x, const struct cost_place *at, size_t len);

/* A message over each link from the first rank to the last. */
static inline uint64_t cost_lap(const struct cost_place *at, uint64_t far, uint64_t near)
{
    return at->each > 1 ? at->nodes * far + (at->p - at->nodes - 1) * near : (at->p - 1) * far;
}

/* Each rank sends to the next one, p - 1 times: those at the ends of nodes send or receive far. */
static inline uint64_t cost_ring(const struct cost_place *at, uint64_t far, uint64_t near)
{
    const uint64_t step = at->each > 1 ? near + COST_OVERHEAD - 2 * COST_NEAR / 3 : 0;

    return cost_larger(cost_lap(at, far, near), (at->p - 1) * step);
}

/* A tree whose processes have radix - 1 children at each level, one process on each node. */
uint64_t cost_tree(uint64_t p, uint64_t radix, uint64_t message, uint64_t next);
/* The same with several processes on each node, in order. The smallest subtrees are on one node
 * where its size is a multiple of theirs. With two of them on each node, the next larger ones are
 * on one node or on two. */
struct cost_messages { /* one between nodes and on a node, and one more of the same process */
    uint64_t far, next, near, near_next;
};
uint64_t cost_subtrees(const struct cost_place *at, uint64_t radix, const struct cost_messages *m);
/* Messages from all to one, or from one to all. */
static inline uint64_t cost_star(uint64_t p, uint64_t message, uint64_t next)
{
    return p > 1 ? message + (p - 2) * next : 0;
}

/* A block of each process to one process, or from one. */
uint64_t cost_blocks_binomial(const struct cost_place *at, uint64_t block);
uint64_t cost_blocks_linear(const struct cost_place *at, uint64_t block);
uint64_t cost_blocks_nodes(const struct coll *x, const struct cost_place *at, uint64_t block);

/* The least of so many costs; 0 stands for no such algorithm. */
uint64_t cost_least(const uint64_t *cost, int rows);
/* The row of the table that costs least among those that fit; NULL: there is none. */
const struct coll_algorithm *cost_choose(const struct coll *x, const struct coll_algorithm *table,
                                         const uint64_t *cost, int rows);

#endif /* COST_H */
