/* arith.c — MPI_SUM and MPI_PROD.
 *
 * Integers wrap around. The arithmetic is unsigned: it gives the bits of signed machine arithmetic,
 * and an overflow of the user's numbers is no undefined behavior in C. 1u keeps 16-bit factors
 * from becoming signed ints, whose product could overflow. */
#include "adi3/op/op_impl.h"

#define SUM(x, y)           ((x) + (y))
#define PROD(x, y)          ((x) * (y))
#define UNSIGNED_PROD(x, y) (1u * (x) * (y))

OP_SAME_BITS(sum, SUM)
OP_FLOATS(sum, SUM)
OP_COMPLEX(sum, SUM)
OP_SAME_BITS(prod, UNSIGNED_PROD)
OP_FLOATS(prod, PROD)
OP_COMPLEX(prod, PROD)

op_kernel *const op_sum[ADI3_REPRS] = { OP_UNSIGNED_ROWS(sum), OP_SAME_BITS_ROWS(sum),
                                        OP_FLOAT_ROWS(sum), OP_COMPLEX_ROWS(sum) };
op_kernel *const op_prod[ADI3_REPRS] = { OP_UNSIGNED_ROWS(prod), OP_SAME_BITS_ROWS(prod),
                                         OP_FLOAT_ROWS(prod), OP_COMPLEX_ROWS(prod) };
