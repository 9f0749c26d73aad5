/* reduce_scatter.h — what MPI_Reduce_scatter and MPI_Reduce_scatter_block share. The blocks of the
 * first have different sizes. */
#ifndef REDUCE_SCATTER_H
#define REDUCE_SCATTER_H

#include "mpi/coll/coll.h"

extern const struct coll_algorithm reduce_scatter_table[];
const struct coll_algorithm *reduce_scatter_choose(const struct coll *x);

/* Checks buffers and operation. ours: the count of our block; all: of all blocks. */
int reduce_scatter_resolve(struct coll *x, const struct coll_args *a, MPI_Count ours,
                           MPI_Count all);

#endif /* REDUCE_SCATTER_H */
