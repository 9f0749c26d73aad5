/* node_id.c — which processes of several jobs are on one node: those whose nodes have the same id.
 *
 * The id is made of what lets processes share memory: the kernel, the network namespace, which has
 * their sockets, and the user. It is in each business card. Where the launcher keeps those of our
 * job, only that of one process of each node is read, once. */
#include <stdlib.h>
#include "adi3/proc/proc_impl.h"

/* Sets *id to that of the node of a process, which its own business card tells, or that of another
 * process there. */
static int node_id_find(const struct proc_job *job, int rank, uint64_t *id)
{
    const struct adi3_proc *p = proc_at(job->first + rank);
    char title[ADI3_TITLE];

    if (!job->node_ids[rank])
        job->node_ids[rank] = business_card_node_id(p);
    *id = job->node_ids[rank];
    return *id ? MPI_SUCCESS
               : adi3_error(MPI_ERR_OTHER, "the business card of %s does not tell its node",
                            proc_title(p, title));
}

int adi3_node_ids(const struct adi3_comm *c, uint64_t *id)
{
    struct proc_job *own = &proc_own_job;
    int err = MPI_SUCCESS, leader = 0;

    assert(adi3_lock_held());
    if (!own->node_ids && !(own->node_ids = calloc((size_t) own->dev.size, sizeof *own->node_ids)))
        return adi3_no_memory("for the nodes of %d processes", own->dev.size);
    own->node_ids[adi3_node_leader()] = node_id_here();
    for (int r = 0; r < c->size && !err; r++) {
        int number = adi3_group_process(c->group, r);
        const struct proc_job *job = proc_job_of_number(number);
        if (job == own)
            err = adi3_node_of(c, r, &leader);
        if (!err)
            err = node_id_find(job, job == own ? leader : number - job->first, &id[r]);
    }
    return err;
}

uint64_t adi3_node_here(void)
{
    uint64_t id = node_id_here();

    return id ? id : proc_own_job.dev.id + (uint64_t) adi3_node_leader();
}

bool adi3_shares_memory(const struct adi3_comm *c)
{
    for (int i = 0; i < c->size; i++)
        if (i != c->rank && !proc_node(c->proc[i]))
            return false;
    return true;
}
