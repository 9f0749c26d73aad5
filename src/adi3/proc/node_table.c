/* node_table.c — the nodes of all processes of our job, also of those that this process never talks
 * to: once for all processes of a node, in its segment.
 *
 * The first process that asks finds them, from the launcher's lists and, of ranks that are in none,
 * from their business cards. The other processes of the node wait for it, and read what it has
 * found. A process that dies in the middle loses the lock: then the next one begins anew. */
#include <string.h>
#include "adi3/proc/node_segment.h"

static struct adi3_node_map found; /* count is 0 until this process has asked */

/* Memory of our own segment. */
static int table_reserve(const void *at, size_t len)
{
    size_t offset = (size_t) ((const char *) at - (const char *) segment_own.head);
    int err = os_reserve(segment_own.fd, offset, len);

    return err ? adi3_no_memory("for the nodes of %d processes", adi3_job.size) : MPI_SUCCESS;
}

void adi3_node_map_sort(const int *node, int size, int nodes, int *ranks, int *first)
{
    memset(first, 0, ((size_t) nodes + 1) * sizeof *first);
    for (int r = 0; r < size; r++)
        first[node[r] + 1]++;
    for (int k = 0; k < nodes; k++)
        first[k + 1] += first[k];
    for (int r = 0; r < size; r++)
        ranks[first[node[r]]++] = r;
    for (int k = nodes; k > 0; k--) /* each entry has moved to where the next node begins */
        first[k] = first[k - 1];
    first[0] = 0;
}

/* Sets node[] of each rank to 1 + a number that the processes of its node have in common. */
static int nodes_look_up(int *node)
{
    char title[ADI3_TITLE];
    int err = node_map_fetch(node);

    for (int i = 0; i < adi3_node.count && !err; i++)
        if (node_rank(i) >= 0 && node_rank(i) < adi3_job.size)
            node[node_rank(i)] = adi3_node_leader() + 1;
    for (int r = 0; r < adi3_job.size && !err; r++) {
        if (!node[r])
            node[r] = business_card_node(&adi3_procs[r]) + 1;
        if (!node[r])
            err = adi3_error(MPI_ERR_OTHER, "the launcher does not know the node of %s: %s",
                             proc_title(&adi3_procs[r], title), pmi_error_text());
    }
    return err;
}

/* Numbers the nodes in the order of their lowest ranks, and returns how many there are. number: as
 * many zeros as there are ranks. */
static int nodes_number(int *node, int *number)
{
    int nodes = 0;

    for (int r = 0; r < adi3_job.size; r++) {
        if (!number[node[r] - 1])
            number[node[r] - 1] = ++nodes;
        node[r] = number[node[r] - 1] - 1;
    }
    return nodes;
}

/* The map in our segment. Where each process is alone on its node it has no arrays. */
static struct adi3_node_map map_of(int nodes)
{
    const struct node_table t = node_table_of(&segment_own);
    const int *leader = t.ranks + adi3_job.size;

    if (nodes == adi3_job.size)
        return (struct adi3_node_map) { .count = nodes, .mine = adi3_job.rank };
    return (struct adi3_node_map) { .count = nodes,
                                    .mine = t.node[adi3_job.rank],
                                    .node = t.node,
                                    .leader = leader,
                                    .ranks = t.ranks,
                                    .first = leader + nodes };
}

/* Makes the map, in the process that has the lock. */
static int map_make(void)
{
    const struct node_table t = node_table_of(&segment_own);
    const int size = adi3_job.size;
    size_t len = 2 * (size_t) size * sizeof(int);
    int *leader = t.ranks + size, nodes = 0, err = table_reserve(t.node, len);

    if (err)
        return err;
    memset(t.node, 0, len); /* a process may have died here */
    err = nodes_look_up(t.node);
    if (!err)
        nodes = nodes_number(t.node, t.ranks);
    if (!err && nodes < size)
        err = table_reserve(leader, (2 * (size_t) nodes + 1) * sizeof *leader);
    if (!err && nodes < size) {
        adi3_node_map_sort(t.node, size, nodes, t.ranks, leader + nodes);
        for (int k = 0; k < nodes; k++)
            leader[k] = t.ranks[leader[nodes + k]];
    }
    if (err || nodes == size)
        os_release(segment_own.fd, (size_t) ((char *) t.node - (char *) segment_own.head), len);
    if (!err)
        atomic_store(&segment_own.head->nodes, (uint32_t) nodes);
    return err;
}

int adi3_node_map_find(const struct adi3_node_map **map)
{
    _Atomic uint32_t *nodes = &segment_own.head->nodes;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (!atomic_load(nodes)) {
        int failed = node_lock();
        if (failed)
            return adi3_error(MPI_ERR_OTHER, "locking the node's shared segment: %s",
                              strerror(-failed));
        if (!atomic_load(nodes))
            err = map_make();
        node_unlock();
    }
    if (!err && !found.count)
        found = map_of((int) atomic_load(nodes));
    *map = err ? NULL : &found;
    return err;
}

void node_table_leave(void) { found = (struct adi3_node_map) { .count = 0 }; }
