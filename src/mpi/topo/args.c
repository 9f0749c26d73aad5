/* args.c — arguments of functions on topologies. */
#include "mpi/topo/topo.h"

int mpir_topology_arg(struct mpir_call *call, MPI_Comm h, int kind, struct adi3_comm **c)
{
    int err = mpir_local_comm_arg(call, h, c);

    if (err || ((*c)->topology && (*c)->topology->kind == kind))
        return err;
    return mpir_error(MPI_ERR_TOPOLOGY, "0x%x has no %s topology", (unsigned) h,
                      kind == MPI_CART    ? "Cartesian"
                      : kind == MPI_GRAPH ? "graph"
                                          : "distributed graph");
}

/* Checked in all builds, since the rank is an index into memory. */
int mpir_member_arg(const struct adi3_comm *c, int rank)
{
    if (rank >= 0 && rank < c->size)
        return MPI_SUCCESS;
    return mpir_wrong_rank(c, rank, "rank");
}

int mpir_not_negative_arg(int n, const char *what)
{
    if (mpir_checking() && n < 0)
        return mpir_error(MPI_ERR_ARG, "%s is negative: %d", what, n);
    return MPI_SUCCESS;
}
