/* node_table.c — the nodes of the processes of our job, as far as they are known: for those that
 * want to know where processes are that they may never talk to. It is made when the first node is
 * set. */
#include <stdlib.h>
#include "adi3/proc/proc_impl.h"

bool node_table_asked;
static int *leader_of; /* by rank: 1 + the lowest rank on its node; 0: not known */

int node_table_get(int rank) { return leader_of ? leader_of[rank] - 1 : -1; }

int node_table_set(int rank, int leader)
{
    if (!leader_of && !(leader_of = calloc((size_t) adi3_job.size, sizeof *leader_of)))
        return adi3_no_memory("for the nodes of %d processes", adi3_job.size);
    leader_of[rank] = leader + 1;
    return MPI_SUCCESS;
}

void node_table_forget(void)
{
    free(leader_of);
    leader_of = NULL;
    node_table_asked = false;
}
