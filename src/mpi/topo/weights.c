/* weights.c — MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY (§7.5.4): addresses that no array has. */
#include "mpi/core/hooks.h"
#include "mpi/mpir.h"

static int unweighted, empty;

int *const MPI_UNWEIGHTED = &unweighted;
int *const MPI_WEIGHTS_EMPTY = &empty;

/* The same for programs that were compiled with MPICH's module mpi_f08. */
int *const MPIR_C_MPI_UNWEIGHTED = &unweighted;
int *const MPIR_C_MPI_WEIGHTS_EMPTY = &empty;
