/* make.c — what making a communicator and its end have in common for all calls. */
#include <stdlib.h>
#include "mpi/attr/attr.h"
#include "mpi/coll/nodes.h"
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "mpi/topo/topo.h"

struct adi3_comm *mpir_comm_parent;

void mpir_comm_inherit(const struct adi3_comm *parent, struct adi3_comm *made)
{
    mpir_errhandler_attach(&made->errhandler, parent->errhandler);
}

static void comm_free_cache(struct adi3_comm *c)
{
    mpir_errhandler_comm_ends(c);
    mpir_attributes_drop(&c->attributes);
    mpir_topology_release(c->topology);
    coll_nodes_free(c->nodes);
    free(c->name);
    if (c == mpir_comm_parent)
        mpir_comm_parent = NULL;
}

void mpir_comm_init(void) { adi3_comm_ends = comm_free_cache; }

int mpir_comm_make(struct adi3_comm *c, const struct adi3_subgroup *t, int tag,
                   struct adi3_comm **made)
{
    uint32_t ctx;
    int err = adi3_context_distribute(c, t, tag, &ctx);

    if (!err)
        err = adi3_comm_new(c, t, ctx, made);
    if (!err)
        mpir_comm_inherit(c, *made);
    return err;
}

struct mpir_ids mpir_ids_pick(struct adi3_comm *home)
{
    struct mpir_ids ids = { .recv = adi3_context_pick(home) };

    ids.local = adi3_context_pick(home);
    return ids;
}

int mpir_inter_make(struct adi3_comm *home, const struct adi3_subgroup *t,
                    struct adi3_group *remote, const struct mpir_ids *ids, struct adi3_comm **made)
{
    struct adi3_comm *local, *n;

    if (!ids->recv || !ids->send || !ids->local)
        return mpir_error(MPI_ERR_OTHER, "the id of the new communicator of %d was lost", t->size);
    int err = adi3_comm_new(home, t, ids->local, &local);

    if (err)
        return err;
    local->closed = ADI3_FREED; /* the user has no handle of it */
    err = adi3_comm_make(local->group, remote, &n);
    if (err) {
        adi3_comm_release(local);
        return err;
    }
    n->local = local;
    local->inter = n;
    err = adi3_comm_open(n, ids->recv, ids->send);
    if (err) {
        adi3_comm_release(n);
        return err;
    }
    mpir_comm_inherit(home, n);
    *made = n;
    return MPI_SUCCESS;
}

int mpir_comm_copy_cache(struct adi3_comm *c, struct adi3_comm *made)
{
    made->topology = mpir_topology_hold(c->topology);
    return mpir_attributes_copy(mpir_comm_attr_holder(c), mpir_comm_attr_holder(made));
}
