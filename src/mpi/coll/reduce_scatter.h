/* reduce_scatter.h — what MPI_Reduce_scatter and MPI_Reduce_scatter_block share: their parts are of
 * different sizes, or all of one. */
#ifndef REDUCE_SCATTER_H
#define REDUCE_SCATTER_H

#include "coll.h"

extern const struct coll_algorithm reduce_scatter_table[];
const struct coll_algorithm *reduce_scatter_choose(const struct coll *x);

/* Checks the buffers, when x->recv.count and recvcounts are known; all: elements of all parts. The
 * first may be MPI_IN_PLACE. */
int reduce_scatter_operands(struct coll *x, const void *sendbuf, const void *recvbuf, size_t all,
                            MPI_Datatype h);

#endif /* REDUCE_SCATTER_H */
