#include "mpi/mpir.h"

/* Returns the elapsed time since a moment in the past, in seconds (§8.6). It never goes back. Any
 * thread may call it at any time. With STARLING_WTIME_GLOBAL=1 the moment is the same in all
 * processes, and the attribute MPI_WTIME_IS_GLOBAL is 1. */
double PMPI_Wtime(void) { return adi3_wtime(); }
MPIR_WEAK(Wtime);

/* Returns the resolution of MPI_Wtime, in seconds (§8.6). */
double PMPI_Wtick(void) { return adi3_wtick(); }
MPIR_WEAK(Wtick);
