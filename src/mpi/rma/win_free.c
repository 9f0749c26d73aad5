#include "mpi/attr/attr.h"
#include "mpi/coll/coll.h"
#include "mpi/comm/comm.h"
#include "mpi/rma/rma.h"

/* What an open epoch of MPI_Win_fence has had is completed. The window ends here also when the
 * other processes do not come. */
static int win_end(struct adi3_win *w, MPI_Win *win)
{
    struct adi3_comm *c = w->comm;
    struct coll x;
    int err = adi3_win_fence_begin(w);

    coll_begin(&x, w->comm);
    int failed = coll_run(&coll_barrier, &x);
    mpir_reached_forget();
    if (failed) {
        adi3_win_leave(w);
    } else {
        c->refs++;
        adi3_win_free(w);
        failed = mpir_let_go(c);
    }
    *win = MPI_WIN_NULL;
    if (!err)
        err = failed;
    return err;
}

/* Frees a window, with the memory that the library allocated for it, and sets the handle to
 * MPI_WIN_NULL (§11.2.5). No epoch may be open. The delete functions of its attributes are called
 * first; when one of them fails, the window stays. Collective; returns when all processes have
 * called it. When a process has died, the call fails and the handle is freed all the same.
 * Errors: MPI_ERR_ARG, MPI_ERR_WIN, MPI_ERR_RMA_SYNC when an epoch is open; those of delete
 * functions. */
int PMPI_Win_free(MPI_Win *win)
{
    ENTER("MPI_Win_free", win);
    struct adi3_win *w;

    TRY(mpir_out_arg(win, "win"));
    TRY(mpir_win_arg(&call, *win, &w));
    TRY(adi3_win_freeable(w));
    TRY(mpir_attributes_delete(mpir_win_attr_holder(w)));
    TRY(win_end(w, win));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_free);
