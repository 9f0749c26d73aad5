#include "mpi/coll/coll.h"
#include "mpi/rma/rma.h"

enum {
    ALONE = MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED,
    KNOWN = ALONE | MPI_MODE_NOSTORE | MPI_MODE_NOPUT
};

static int fence_barrier(struct adi3_win *w)
{
    static const struct coll_args none;
    struct coll x;

    coll_begin(&x, w->comm);
    x.args = &none;
    return coll_run(&coll_win_fence, &x);
}

/* A barrier is needed before it when operations precede: they are done here when the others return.
 * One is needed when operations succeed: they must not come here before the fence. With neither it
 * needs none (§11.5.1). */
static int fence_synchronize(struct adi3_win *w, int assertions)
{
    int err = adi3_win_fence_begin(w), failed = MPI_SUCCESS;

    if (err && (w->access > ADI3_EPOCH_FENCE || w->exposure != ADI3_EPOCH_NONE))
        return err; /* another kind of epoch is open, and stays so */
    if ((assertions & ALONE) != ALONE)
        failed = fence_barrier(w);
    adi3_win_fence_end(w, assertions);
    if (!err)
        err = failed;
    return err;
}

/* Ends the epoch that the last MPI_Win_fence has begun, and begins another: all operations on win
 * that a process has started are complete here and there when it returns (§11.5.1). assert:
 * MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE (no operations are to be completed) and
 * MPI_MODE_NOSUCCEED (none will follow: no epoch begins); with the last two it waits for no
 * process. Collective.
 * Errors: MPI_ERR_WIN, MPI_ERR_ASSERT, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_fence(int assert, MPI_Win win)
{
    ENTER("MPI_Win_fence", assert, win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_assert_arg(assert, KNOWN));
    TRY(fence_synchronize(w, assert));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_fence);
