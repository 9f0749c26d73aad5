/* meet.c — small persistent operations whose starts are done in shared memory: as the algorithms of
 * *_shared.c, to the last bit, but without waiting there. */
#include "coll.h"

bool coll_meet_allreduce(const struct coll *x, struct adi3_meeting *m)
{
    *m = (struct adi3_meeting) {
        .len = coll_size(x->send), .out = x->send, .in = x->recv, .op = x->op
    };
    return x->recv.type->predefined && x->recv.type->contig && coll_by_place(x);
}

bool coll_meet_reduce(const struct coll *x, struct adi3_meeting *m)
{
    bool meets = coll_meet_allreduce(x, m);

    if (x->rank != x->root)
        m->in.type = NULL;
    return meets;
}

int coll_meet(const struct coll_operation *o, struct coll *x)
{
    struct adi3_meeting m;

    if (!o->meet || o->forced || o->offers || x->comm->remote || !o->meet(x, &m))
        return MPI_SUCCESS;
    return adi3_sched_meet(x->sched, x->comm, &m);
}
