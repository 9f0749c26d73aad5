#include "mpi/rma/rma.h"

/* Returns where this process finds the memory of a process of a window of MPI_Win_allocate_shared,
 * its size and its displacement unit (§11.2.3); of size 0 the address is where it would begin. rank
 * MPI_PROC_NULL is the lowest rank with memory; without any the size is 0 and the address NULL.
 * baseptr is the address of a pointer.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_FLAVOR, MPI_ERR_RANK, MPI_ERR_ARG. */
int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    ENTER("MPI_Win_shared_query", win, rank, size, disp_unit, baseptr);
    struct adi3_win *w;

    TRY(mpir_win_of_flavor_arg(&call, win, MPI_WIN_FLAVOR_SHARED, &w));
    TRY(mpir_target_arg(w, rank, "rank"));
    TRY(mpir_out_arg(size, "size"));
    TRY(mpir_out_arg(disp_unit, "disp_unit"));
    TRY(mpir_out_arg(baseptr, "baseptr"));
    TRY(adi3_win_shared(w, rank, size, disp_unit, baseptr));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_shared_query);
