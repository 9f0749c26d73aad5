/* state.c — the state of MPI in this process, which each MPI function looks at. */
#include "mpi/core/core.h"

_Atomic bool mpir_finalized;
bool mpir_forked;

const char *mpir_down_why(void)
{
    if (mpir_forked)
        return "called in a child process of a rank, which has no part in the job";
    return mpir_finalized ? "called after MPI_Finalize" : "called before MPI_Init";
}
