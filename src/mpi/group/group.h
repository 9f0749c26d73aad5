/* group.h — arguments of group calls, and the groups they give. */
#ifndef GROUP_H
#define GROUP_H

#include "mpir.h"

int mpir_group_n_arg(int n);
/* All n are ranks of g, and distinct. */
int mpir_ranks_arg(const struct adi3_group *g, int n, const int *ranks);
/* Likewise what the ranges hold: first, last and stride each. */
int mpir_ranges_arg(const struct adi3_group *g, int n, int (*ranges)[3]);

/* The user's handle of a new group, which nobody else holds then; NULL: there was no memory. */
int mpir_group_out(struct adi3_group *made, MPI_Group *newgroup);

#endif /* GROUP_H */
