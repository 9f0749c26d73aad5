/* group.h — arguments of group functions, and the groups they return. */
#ifndef GROUP_H
#define GROUP_H

#include "mpi/mpir.h"

int mpir_group_n_arg(int n);
/* Checks that the n numbers are ranks of g, without repetition. */
int mpir_ranks_arg(const struct adi3_group *g, int n, const int *ranks);
/* Checks the same for ranges: first, last and stride each. */
int mpir_ranges_arg(const struct adi3_group *g, int n, int (*ranges)[3]);

/* Returns the handle of a new group, whose only reference is then the user's. Errors:
 * MPI_ERR_NO_MEM when made is NULL. */
int mpir_group_out(struct adi3_group *made, MPI_Group *newgroup);

#endif /* GROUP_H */
