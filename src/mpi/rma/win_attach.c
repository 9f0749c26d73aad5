#include "mpi/rma/rma.h"

/* Attaches size bytes of memory from base on to a window of MPI_Win_create_dynamic, so that other
 * processes may access them (§11.2.4). They must not overlap memory that is attached already; size
 * may be 0. MPI_Win_free detaches what is still attached. Local.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_FLAVOR, MPI_ERR_SIZE, MPI_ERR_RMA_ATTACH, MPI_ERR_NO_MEM. */
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    ENTER("MPI_Win_attach", win, base, size);
    struct adi3_win *w;

    TRY(mpir_win_of_flavor_arg(&call, win, MPI_WIN_FLAVOR_DYNAMIC, &w));
    TRY(mpir_size_arg(base, size));
    TRY(adi3_win_attach(w, base, size));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_attach);
