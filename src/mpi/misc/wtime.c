#include "mpir.h"

/* Gives the time since a moment in the past, in seconds; it never goes back (§8.6). Any thread may
 * call it at any time. With STARLING_WTIME_GLOBAL=1 the moment is the same for all processes, as
 * the attribute MPI_WTIME_IS_GLOBAL then says. */
double PMPI_Wtime(void) { return adi3_wtime(); }
MPIR_WEAK(Wtime);

/* Gives the resolution of MPI_Wtime in seconds (§8.6). */
double PMPI_Wtick(void) { return adi3_wtick(); }
MPIR_WEAK(Wtick);
