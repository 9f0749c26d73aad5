/* cart.h — ranks and coordinates in a Cartesian grid. */
#ifndef CART_H
#define CART_H

#include "mpi/topo/topo.h"

/* The topology of a grid with room for so many dimensions, of which it has none yet; NULL without
 * memory. */
struct mpir_topology *mpir_cart_new(size_t ndims);
/* Finds the neighbors of the process with this rank, whose topology it is. */
void mpir_cart_find_neighbors(struct mpir_topology *t, int rank);
/* Checks that arrays of maxdims entries have room for all dimensions. */
int mpir_maxdims_arg(const struct adi3_comm *c, int maxdims);
void mpir_cart_coords(const struct mpir_topology *t, int rank, int *coords);
/* The rank of the process so many steps away, or MPI_PROC_NULL. */
int mpir_cart_shifted(const struct mpir_topology *t, int rank, int direction, long long steps);

/* i modulo n, not negative. */
static inline int mpir_cart_wrap(long long i, int n) { return (int) ((i % n + n) % n); }

#endif /* CART_H */
