/* place.c — where processes are: their nodes, and the parts of this node that they are bound to.
 *
 * Both are found without messages, as MPI_Cart_map needs it, which is local: the node of a
 * process is in the launcher's store, in the list of its node and in its business card; the cores
 * of the processes of this node are in its segment. */
#include <string.h>
#include "adi3/proc/proc_impl.h"

_Static_assert((int) ADI3_LEVELS == OS_LEVELS && (int) ADI3_L3 == OS_L3 && (int) ADI3_PU == OS_PU,
               "adi3_level and os_level are the same");

/* The lowest rank on the node of a process of our job, from the launcher's lists or, where there
 * are none, from its business card; -1: not known. */
static int own_node_find(const struct adi3_proc *p, int *leader)
{
    int err = MPI_SUCCESS;

    *leader = node_table_get(proc_rank(p));
    if (*leader < 0)
        err = node_map_fetch();
    if (!err)
        *leader = node_table_get(proc_rank(p));
    if (err || *leader >= 0)
        return err;
    *leader = business_card_node(p);
    return *leader < 0 ? MPI_SUCCESS : node_table_set(proc_rank(p), *leader);
}

int adi3_node_of(const struct adi3_comm *c, int rank, int *leader)
{
    struct adi3_proc *p = c->proc[rank];
    const struct proc_job *job = proc_job_of(p);
    char title[ADI3_TITLE];
    int node, err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (p->peer.node) {
        *leader = job->first + node_leader(p->peer.node);
        return MPI_SUCCESS;
    }
    if (job == &proc_own_job)
        err = own_node_find(p, &node);
    else if ((node = p->node) < 0)
        node = p->node = business_card_node(p);
    if (err)
        return err;
    if (node < 0)
        return adi3_error(MPI_ERR_OTHER, "the launcher does not know the node of %s: %s",
                          proc_title(p, title), pmi_error_text());
    *leader = job->first + node;
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
    const struct dev_peer *p = &c->proc[rank]->peer;

    return p->node == &adi3_node && os_place(node_cpus(p->node, p->local), place->at);
}
