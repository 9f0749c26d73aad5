/* place.c — where processes are: their nodes, and the parts of this node that they are bound to.
 *
 * Both are found without messages, as MPI_Cart_map needs it, which is local: the nodes of
 * our job's processes are in the segment (node_table.c), and of others' in their business cards;
 * the cores of the processes of this node are in its segment. */
#include <string.h>
#include "adi3/proc/proc_impl.h"

_Static_assert((int) ADI3_LEVELS == OS_LEVELS && (int) ADI3_L3 == OS_L3 && (int) ADI3_PU == OS_PU,
               "adi3_level and os_level are the same");

/* The leader of the node of a process of our job. */
static int own_node_find(int rank, int *leader)
{
    const struct adi3_node_map *map;

    if (node_local(rank) >= 0) {
        *leader = adi3_node_leader();
        return MPI_SUCCESS;
    }
    int err = adi3_node_map_find(&map);
    if (!err)
        *leader = adi3_node_map_leader(map, map->node ? map->node[rank] : rank);
    return err;
}

int adi3_node_of(const struct adi3_comm *c, int rank, int *leader)
{
    struct adi3_proc *p = c->proc[rank];
    const struct proc_job *job = proc_job_of(p);
    char title[ADI3_TITLE];

    assert(adi3_lock_held());
    if (job == &proc_own_job)
        return own_node_find(proc_rank(p), leader);
    if (p->node < 0)
        p->node = business_card_node(p);
    if (p->node < 0)
        return adi3_error(MPI_ERR_OTHER, "the launcher does not know the node of %s: %s",
                          proc_title(p, title), pmi_error_text());
    *leader = job->first + p->node;
    return MPI_SUCCESS;
}

bool adi3_node_bound(void)
{
    const size_t len = sizeof(struct os_cpus);

    for (int i = 1; i < adi3_node.count; i++)
        if (memcmp(node_cpus(&adi3_node, 0), node_cpus(&adi3_node, i), len))
            return true;
    return false;
}

bool adi3_place(const struct adi3_comm *c, int rank, struct adi3_place *place)
{
    const struct dev_node *n = proc_node(c->proc[rank]);

    return n && os_place(node_cpus(n, proc_local(c->proc[rank])), place->at);
}
