#include "mpi/coll/algo/cost.h"
#include "mpi/coll/nodes.h"

struct cost_place cost_place_of(const struct coll *x)
{
    const struct coll_nodes *n = coll_nodes(x);
    uint64_t p = (uint64_t) x->size;

    if (!n)
        return (struct cost_place) { p, p, 1, true };
    uint64_t nodes = (uint64_t) n->count;
    return (struct cost_place) { p, nodes, (p + nodes - 1) / nodes, n->in_order };
}

unsigned cost_log2(uint64_t n) { return 63u - (unsigned) __builtin_clzll(n); }

/* The last process to be reached is below the last full subtree of the root, below the one that is
 * not full, or below the root itself: then the root has first served all these. */
uint64_t cost_tree(uint64_t p, uint64_t radix, uint64_t message, uint64_t next)
{
    uint64_t before = 0, most = 0;

    while (p > 1) {
        uint64_t unit = 1, below = 0;
        for (; unit * radix < p; unit *= radix)
            below += message + (radix - 2) * next;
        uint64_t full = p / unit - 1, rest = p % unit, children = full + (rest > 0);
        most = cost_larger(most, before + below + (unit > 1 ? children * next : 0));
        if (full > 0)
            most = cost_larger(most, before + message + (full - 1) * next + below);
        if (rest == 0)
            break;
        before += message + full * next;
        most = cost_larger(most, before);
        p = rest;
    }
    return most;
}

uint64_t cost_subtrees(const struct cost_place *at, uint64_t radix, const struct cost_messages *m)
{
    uint64_t subtree = 1, levels = 0;

    for (; at->each % (radix * subtree) == 0; subtree *= radix)
        levels++;
    uint64_t across = cost_tree(at->p / subtree, radix, m->far, m->next);
    if (at->each == 2 * subtree)
        across = (across + cost_tree(at->nodes, radix, m->far, m->next)) / 2;
    return across + levels * (m->near + (radix - 2) * m->near_next);
}

uint64_t cost_blocks_binomial(const struct cost_place *at, uint64_t block)
{
    return cost_rounds(at->nodes) * cost_far(0) + cost_bytes((at->p - at->each) * block)
           + cost_work(at->p * block) + cost_rounds(at->each) * COST_NEAR
           + (at->each > 1 ? cost_copy(at->each * block) : 0);
}

uint64_t cost_blocks_linear(const struct cost_place *at, uint64_t block)
{
    return cost_star(at->p - at->each + 1, cost_far(block), cost_next(block));
}

uint64_t cost_blocks_nodes(const struct coll *x, const struct cost_place *at, uint64_t block)
{
    const uint64_t of_node = at->each * block;
    const bool flags = !x->sched && at->each >= COST_CROWD;
    const uint64_t phase = flags ? cost_flags(at->each) : COST_NEAR;

    return phase + cost_copy(block) + cost_star(at->nodes, cost_far(of_node), cost_next(of_node))
           + cost_work((at->p - at->each) * block);
}

uint64_t cost_least(const uint64_t *cost, int rows)
{
    uint64_t least = 0;

    for (int i = 0; i < rows; i++)
        if (cost[i] > 0 && (least == 0 || cost[i] < least))
            least = cost[i];
    return least;
}

const struct coll_algorithm *cost_choose(const struct coll *x, const struct coll_algorithm *table,
                                         const uint64_t *cost, int rows)
{
    const struct coll_algorithm *best = NULL;
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < rows; i++)
        if (cost[i] > 0 && cost[i] < least && (!table[i].fits || table[i].fits(x))) {
            best = &table[i];
            least = cost[i];
        }
    return best;
}
