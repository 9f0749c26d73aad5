#include <stdlib.h>
#include "mpi/topo_create/topo_create.h"
#include "mpi/topo/cart.h"

/* The topology of the dimensions that remain. */
static struct mpir_topology *subgrid_new(const struct mpir_topology *t, const int *remain)
{
    struct mpir_topology *sub = mpir_cart_new((size_t) t->cart.ndims);

    if (!sub)
        return NULL;
    for (int d = 0, i = 0; d < t->cart.ndims; d++) {
        if (!remain[d])
            continue;
        sub->cart.dims[i] = t->cart.dims[d];
        sub->cart.periods[i] = t->cart.periods[d];
        sub->cart.ndims = ++i;
    }
    return sub;
}

/* Lists the processes of this one's subgrid: those with the same coordinates in the dropped
 * dimensions. They are in the order of their ranks, which is that of their new ranks. Returns their
 * number; me becomes the new rank of this process. */
static int find_subgrid(const struct adi3_comm *c, const int *remain, int *ranks, int *me)
{
    const struct mpir_topology *t = c->topology;
    int n = 1, stride = 1, at = 0, scale = 1;

    ranks[0] = c->rank;
    for (int d = t->cart.ndims - 1; d >= 0; stride *= t->cart.dims[d--]) {
        int len = t->cart.dims[d], coord = c->rank / stride % len;
        if (!remain[d])
            continue;
        for (int i = 0; i < n; i++) /* move to coordinate 0 of this dimension, ... */
            ranks[i] -= coord * stride;
        for (int i = n; i < n * len; i++) /* ... and add the other coordinates */
            ranks[i] = ranks[i - n] + stride;
        at += coord * scale;
        scale = n *= len;
    }
    *me = at;
    return n;
}

static int make_subgrid(struct adi3_comm *c, const int *remain, MPI_Comm *newcomm)
{
    struct mpir_topology *sub = subgrid_new(c->topology, remain);
    int *ranks = malloc((size_t) c->size * sizeof *ranks), me, err;

    if (sub && ranks) {
        int n = find_subgrid(c, remain, ranks, &me);
        uint32_t digest = mpir_digest(0, sub->cart.dims, sub->cart.ndims);
        err = mpir_topology_make(c, &(struct adi3_subgroup) { n, me, ranks, digest }, sub, newcomm);
    } else {
        err = adi3_no_memory("for a grid of %d processes", c->size);
        mpir_topology_release(sub);
    }
    free(ranks);
    return err;
}

/* Partitions a communicator with a Cartesian topology into grids of fewer dimensions (§7.5.7).
 * remain_dims says which dimensions remain. The result is the communicator of the grid of the
 * calling process. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
    ENTER("MPI_Cart_sub", comm, remain_dims, newcomm);
    struct adi3_comm *c;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_topology_arg(&call, comm, MPI_CART, &c));
    TRY(mpir_array_arg(remain_dims, c->topology->cart.ndims, "remain_dims"));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(make_subgrid(c, remain_dims, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_sub);
