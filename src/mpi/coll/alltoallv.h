/* alltoallv.h — what MPI_Alltoallv and MPI_Alltoallw share: only their arguments differ. */
#ifndef ALLTOALLV_H
#define ALLTOALLV_H

#include "mpi/coll/coll.h"

extern const struct coll_algorithm alltoallv_table[];
const struct coll_algorithm *alltoallv_choose(const struct coll *x);

#endif /* ALLTOALLV_H */
