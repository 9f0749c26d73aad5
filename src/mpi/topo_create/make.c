/* make.c — creates the communicator of a new topology. */
#include "mpi/topo_create/topo_create.h"
#include "mpi/topo/cart.h"

int mpir_topology_make(struct adi3_comm *c, const struct adi3_subgroup *subgroup,
                       struct mpir_topology *t, MPI_Comm *newcomm)
{
    struct adi3_comm *made;
    int err = mpir_comm_make(c, subgroup, ADI3_TAG_COMM, &made);

    if ((err & ADI3_CLASS_MASK) == MPI_ERR_GROUP)
        err = mpir_error(MPI_ERR_TOPOLOGY, "the processes gave different topologies");
    if (err) {
        mpir_topology_release(t);
        return err;
    }
    if (t->kind == MPI_CART)
        mpir_cart_find_neighbors(t, made->rank);
    made->topology = t;
    *newcomm = made->handle;
    return MPI_SUCCESS;
}

/* FNV-1a, by ints. */
uint32_t mpir_digest(uint32_t digest, const int *v, int n)
{
    digest ^= 2166136261u;
    for (int i = 0; i < n; i++)
        digest = (digest ^ (uint32_t) v[i]) * 16777619u;
    return digest;
}
