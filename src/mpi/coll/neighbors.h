/* neighbors.h — what neighborhood operations have in common (§7.6). */
#ifndef NEIGHBORS_H
#define NEIGHBORS_H

#include "mpi/coll/coll.h"

/* MPI_ERR_TOPOLOGY unless the communicator has a topology, with edges in both directions if it
 * is a graph. Sets x's numbers of blocks. */
int neighbor_topology_arg(struct coll *x);

/* Data for n neighbors; with n = 0 the buffer is not looked at. */
int neighbor_data_arg(const void *buf, MPI_Count count, MPI_Datatype type, int n,
                      struct adi3_data *d);

/* All arguments of an operation whose blocks have one size.
 * Errors: those above, and MPI_ERR_BUFFER when send and receive buffer begin in the same byte. */
int neighbor_blocks_arg(struct coll *x, const struct coll_args *a);

/* There is one algorithm for each. */
const struct coll_algorithm *neighbor_choose_allgather(const struct coll *x);
const struct coll_algorithm *neighbor_choose_alltoall(const struct coll *x);

#endif /* NEIGHBORS_H */
