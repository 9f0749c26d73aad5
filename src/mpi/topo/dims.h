/* dims.h — the most balanced grid, for MPI_Dims_create. */
#ifndef DIMS_H
#define DIMS_H

#include <stdbool.h>

/* Sets count > 0 factors whose product is n > 0, in non-increasing order, so that the largest
 * and the smallest are as close as can be. */
void mpir_dims_balance(int n, int count, int *factor);

#endif /* DIMS_H */
