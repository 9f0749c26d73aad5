/* logic.c — MPI_LAND, MPI_LOR and MPI_LXOR.
 *
 * All values but 0 are true: Fortran compilers write .TRUE. as 1 or as -1. The result is 1 or 0,
 * which all of them read correctly. */
#include "adi3/op/op_impl.h"

#define AND(x, y) ((x) != 0 && (y) != 0)
#define OR(x, y)  ((x) != 0 || (y) != 0)
#define XOR(x, y) (((x) != 0) != ((y) != 0))

OP_SAME_BITS(land, AND)
OP_FLOATS(land, AND)
OP_SAME_BITS(lor, OR)
OP_FLOATS(lor, OR)
OP_SAME_BITS(lxor, XOR)
OP_FLOATS(lxor, XOR)

op_kernel *const op_land[ADI3_REPRS] = { OP_UNSIGNED_ROWS(land), OP_SAME_BITS_ROWS(land),
                                         OP_FLOAT_ROWS(land) };
op_kernel *const op_lor[ADI3_REPRS] = { OP_UNSIGNED_ROWS(lor), OP_SAME_BITS_ROWS(lor),
                                        OP_FLOAT_ROWS(lor) };
op_kernel *const op_lxor[ADI3_REPRS] = { OP_UNSIGNED_ROWS(lxor), OP_SAME_BITS_ROWS(lxor),
                                         OP_FLOAT_ROWS(lxor) };
