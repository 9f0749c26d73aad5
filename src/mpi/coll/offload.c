/* offload.c — small persistent operations that are started in a flag block in shared memory
 * (adi3/shmcoll/flag_block.c). They have the same bits as the algorithms *_shared of algo, but
 * do not wait. */
#include "mpi/coll/coll.h"

bool coll_offload_allreduce(const struct coll *x, struct adi3_offload *m)
{
    *m = (struct adi3_offload) {
        .len = coll_size(x->send), .out = x->send, .in = x->recv, .op = x->op
    };
    return x->recv.type->predefined && x->recv.type->contig && coll_by_placement(x);
}

bool coll_offload_reduce(const struct coll *x, struct adi3_offload *m)
{
    bool offloaded = coll_offload_allreduce(x, m);

    if (x->rank != x->root)
        m->in.type = NULL;
    return offloaded;
}

int coll_offload(const struct coll_operation *o, struct coll *x)
{
    struct adi3_offload m;

    if (!o->offload || o->forced || o->registered || x->comm->remote || !o->offload(x, &m))
        return MPI_SUCCESS;
    return adi3_sched_offload(x->sched, x->comm, &m);
}
