#include "mpi/topo/cart.h"

struct mpir_topology *mpir_cart_new(size_t ndims)
{
    struct mpir_topology *t = mpir_topology_new(MPI_CART, 4 * ndims);

    if (!t)
        return NULL;
    t->cart.dims = t->data;
    t->cart.periods = t->data + ndims;
    t->cart.neighbors = t->data + 2 * ndims;
    return t;
}

void mpir_cart_find_neighbors(struct mpir_topology *t, int rank)
{
    for (int i = 0; i < 2 * t->cart.ndims; i++)
        t->cart.neighbors[i] = mpir_cart_shifted(t, rank, i / 2, i % 2 ? 1 : -1);
}

int mpir_maxdims_arg(const struct adi3_comm *c, int maxdims)
{
    int ndims = c->topology->cart.ndims;

    if (mpir_checking() && maxdims < ndims)
        return mpir_error(MPI_ERR_ARG, "maxdims %d is less than the %d dimensions of the grid",
                          maxdims, ndims);
    return MPI_SUCCESS;
}

void mpir_cart_coords(const struct mpir_topology *t, int rank, int *coords)
{
    for (int d = t->cart.ndims - 1; d >= 0; d--) {
        coords[d] = rank % t->cart.dims[d];
        rank /= t->cart.dims[d];
    }
}

int mpir_cart_shifted(const struct mpir_topology *t, int rank, int direction, long long steps)
{
    int len = t->cart.dims[direction], stride = 1;

    for (int d = t->cart.ndims - 1; d > direction; d--)
        stride *= t->cart.dims[d];
    int at = rank / stride % len;
    long long to = at + steps;
    if (t->cart.periods[direction])
        to = mpir_cart_wrap(to, len);
    return to < 0 || to >= len ? MPI_PROC_NULL : rank + ((int) to - at) * stride;
}
