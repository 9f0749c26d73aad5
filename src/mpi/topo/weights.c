/* weights.c — MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY (§7.5.4): addresses that no array has. */
#include "mpir.h"

static int unweighted, empty;

int *const MPI_UNWEIGHTED = &unweighted;
int *const MPI_WEIGHTS_EMPTY = &empty;
