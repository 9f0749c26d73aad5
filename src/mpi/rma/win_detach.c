#include "mpi/rma/rma.h"

/* Detaches memory that was attached with this base (§11.2.4). No process may access it any more.
 * Local.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_ATTACH. */
int PMPI_Win_detach(MPI_Win win, const void *base)
{
    ENTER("MPI_Win_detach", win, base);
    struct adi3_win *w;

    TRY(mpir_win_of_flavor_arg(&call, win, MPI_WIN_FLAVOR_DYNAMIC, &w));
    TRY(adi3_win_detach(w, base));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_detach);
