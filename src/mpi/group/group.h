/* group.h — comparing groups, for communicators too. */
#ifndef GROUP_H
#define GROUP_H

#include "mpir.h"

/* result: MPI_IDENT when the order is the same too, MPI_SIMILAR when only the members are, else
 * MPI_UNEQUAL. */
int mpir_group_compare(const struct adi3_group *a, const struct adi3_group *b, int *result);

#endif /* GROUP_H */
