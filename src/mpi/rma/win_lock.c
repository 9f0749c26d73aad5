#include "mpi/rma/rma.h"

static int lock_type_arg(int lock_type)
{
    if (!mpir_checking() || lock_type == MPI_LOCK_SHARED || lock_type == MPI_LOCK_EXCLUSIVE)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_LOCKTYPE,
                      "lock_type %d is neither MPI_LOCK_SHARED nor MPI_LOCK_EXCLUSIVE", lock_type);
}

/* Begins an access epoch to the window of one process (§11.5.3). With MPI_LOCK_EXCLUSIVE no other
 * process has a lock of it meanwhile, with MPI_LOCK_SHARED only others of that type. The target
 * need not take part. Locks of several targets may be held at once. assert: MPI_MODE_NOCHECK when
 * no lock of another process can conflict. Nothing is done for rank MPI_PROC_NULL. Windows with the
 * info no_locks have locks, too; STARLING_CHECK=strict tells.
 * Errors: MPI_ERR_WIN, MPI_ERR_LOCKTYPE, MPI_ERR_RANK, MPI_ERR_ASSERT, MPI_ERR_RMA_SYNC. */
int PMPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    ENTER("MPI_Win_lock", lock_type, rank, assert, win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(lock_type_arg(lock_type));
    TRY(mpir_target_arg(w, rank, "rank"));
    TRY(mpir_assert_arg(assert, MPI_MODE_NOCHECK));
    if (rank != MPI_PROC_NULL)
        TRY(adi3_win_lock(w, lock_type, rank, assert));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_lock);
