/* node_local.c — which processes of our job are on this node, by rank: each one that joins enters
 * the index of its slot into the segment. So the process table, of which each process has one of
 * its own, is not used before they talk. */
#include "adi3/proc/node_segment.h"

void node_local_enter(int rank, int index)
{
    if ((uint32_t) rank < segment_own.ranks)
        atomic_store(&node_table_of(&segment_own).local[rank], (int16_t) (index + 1));
}

int node_local(int rank)
{
    if ((uint32_t) rank >= segment_own.ranks)
        return -1;
    const struct node_table t = node_table_of(&segment_own);
    int index = atomic_load_explicit(&t.local[rank], memory_order_relaxed) - 1;
    return index < adi3_node.count ? index : -1;
}
