/* segment.c — the shared-memory segment of a call on one node, or of a phase within a node. */
#include "mpi/coll/coll.h"

struct adi3_shmcoll *coll_find_shmcoll(const struct coll *x)
{
    const struct coll_subgroup *t = x->subgroup;

    if (x->comm->together)
        return adi3_shmcoll(x->comm, x->tag);
    return t && t->on_node ? adi3_shmcoll_on_node(x->comm, x->tag, t->ranks, t->size, t->me) : NULL;
}

void coll_fail_phase(const struct coll *x)
{
    bool on_node = x->subgroup ? x->subgroup->on_node : x->comm->together;

    if (!x->sched && on_node && x->comm->shmcoll)
        (void) adi3_shmcoll_fail(x->comm->shmcoll, x->err);
}
