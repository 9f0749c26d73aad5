/* neighbors.c — checks the arguments of neighborhood operations. */
#include "mpi/coll/neighbors.h"
#include "mpi/coll/algo/algo.h"
#include "mpi/topo/graph.h"

static const struct coll_algorithm allgather = { .name = "linear", .run = neighbor_allgather };
static const struct coll_algorithm alltoall = { .name = "linear", .run = neighbor_alltoall };

const struct coll_algorithm *neighbor_choose_allgather(const struct coll *x)
{
    return (void) x, &allgather;
}

const struct coll_algorithm *neighbor_choose_alltoall(const struct coll *x)
{
    return (void) x, &alltoall;
}

/* Edges are checked even where arguments are not: where they do not go both ways, a process
 * would wait for ever. All processes know the whole graph, so all get the error. */
int neighbor_topology_arg(struct coll *x)
{
    const struct mpir_topology *t = x->comm->topology;

    if (!t)
        return mpir_error(MPI_ERR_TOPOLOGY, "0x%x has no topology", (unsigned) x->comm->handle);
    if (t->kind == MPI_GRAPH && !t->graph.symmetric)
        return mpir_graph_lopsided(t);
    mpir_degrees(x->comm, &x->recvs, &x->sends);
    return MPI_SUCCESS;
}

int neighbor_data_arg(const void *buf, MPI_Count count, MPI_Datatype type, int n,
                      struct adi3_data *d)
{
    return mpir_data_arg(buf, n > 0 || count < 0 ? count : 0, type, d);
}

static int no_alias_arg(const struct coll *x)
{
    if (x->sends == 0 || x->recvs == 0 || !coll_no_alias_arg(x->send, x->recv))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_BUFFER, "send and receive buffer are the same memory");
}

int neighbor_blocks_arg(struct coll *x, const struct coll_args *a)
{
    int err = neighbor_topology_arg(x);

    if (!err)
        err = neighbor_data_arg(a->recvbuf, a->recvcount, a->recvtype, x->recvs, &x->recv);
    if (!err)
        err = neighbor_data_arg(a->sendbuf, a->sendcount, a->sendtype, x->sends, &x->send);
    if (!err)
        err = no_alias_arg(x);
    return err;
}
