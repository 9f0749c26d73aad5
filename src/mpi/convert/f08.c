/* f08.c — constants of mpi_f08 that are known by their addresses (§17.1.2). The Fortran library
 * compares with them; here is where programs compiled with MPICH's module expect them. */
#include "mpi/core/hooks.h"

int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
