/* minmax.c — MPI_MAX and MPI_MIN. */
#include "adi3/op/op_impl.h"

#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))

OP_SIGNED(max, MAX)
OP_UNSIGNED(max, MAX)
OP_FLOATS(max, MAX)
OP_SIGNED(min, MIN)
OP_UNSIGNED(min, MIN)
OP_FLOATS(min, MIN)

op_kernel *const op_max[ADI3_REPRS] = { OP_CHAR_ROW(max), OP_SIGNED_ROWS(max),
                                        OP_UNSIGNED_ROWS(max), OP_FLOAT_ROWS(max) };
op_kernel *const op_min[ADI3_REPRS] = { OP_CHAR_ROW(min), OP_SIGNED_ROWS(min),
                                        OP_UNSIGNED_ROWS(min), OP_FLOAT_ROWS(min) };
