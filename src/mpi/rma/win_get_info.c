#include "mpi/info/info.h"
#include "mpi/rma/rma.h"

static int win_info_get(const struct adi3_win *w, MPI_Info *info)
{
    struct mpir_info *i;
    int err = mpir_info_new(&i);

    if (err)
        return err;
    err = mpir_win_hints_write(w, i);
    if (err)
        mpir_info_free(i);
    else
        *info = i->handle;
    return err;
}

/* Returns a new info object with the hints of a window and their values (§11.2.7). It has all hints
 * that the library knows for such a window. The caller frees it.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Win_get_info(MPI_Win win, MPI_Info *info_used)
{
    ENTER("MPI_Win_get_info", win, info_used);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_out_arg(info_used, "info_used"));
    TRY(win_info_get(w, info_used));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_get_info);
