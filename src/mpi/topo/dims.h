/* dims.h — the most balanced grid. */
#ifndef DIMS_H
#define DIMS_H

#include <stdbool.h>

/* n > 0 as a product of count > 0 factors, in non-increasing order, of which the largest and the
 * smallest are as near each other as can be. */
void mpir_dims_balance(int n, int count, int *factor);

#endif /* DIMS_H */
