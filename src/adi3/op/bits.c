/* bits.c — MPI_BAND, MPI_BOR and MPI_BXOR. */
#include "adi3/op/op_impl.h"

#define AND(x, y) ((x) & (y))
#define OR(x, y)  ((x) | (y))
#define XOR(x, y) ((x) ^ (y))

OP_SAME_BITS(band, AND)
OP_SAME_BITS(bor, OR)
OP_SAME_BITS(bxor, XOR)

op_kernel *const op_band[ADI3_REPRS] = { OP_UNSIGNED_ROWS(band), OP_SAME_BITS_ROWS(band) };
op_kernel *const op_bor[ADI3_REPRS] = { OP_UNSIGNED_ROWS(bor), OP_SAME_BITS_ROWS(bor) };
op_kernel *const op_bxor[ADI3_REPRS] = { OP_UNSIGNED_ROWS(bxor), OP_SAME_BITS_ROWS(bxor) };
