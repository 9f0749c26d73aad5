#include "mpi/rma/rma.h"

static int win_dynamic_create(struct adi3_comm *c, const struct mpir_new_win *new, MPI_Win *win)
{
    struct adi3_win *w;
    int err = mpir_win_make(c, new, &w);

    if (!err)
        *win = w->handle;
    return err;
}

/* Makes a window without memory, to which each process attaches memory as it likes (§11.2.4).
 * Displacements in it are addresses of the target, as MPI_Get_address gives them there. Hints in
 * info are those of MPI_Win_create. Collective.
 * Errors: MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM; what fails
 * in one process fails in all. */
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    ENTER("MPI_Win_create_dynamic", info, comm, win);
    struct adi3_comm *c;
    struct mpir_new_win new = { .flavor = MPI_WIN_FLAVOR_DYNAMIC, .disp_unit = 1 };

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_win_info_arg(info, &new));
    TRY(mpir_out_arg(win, "win"));
    TRY(win_dynamic_create(c, &new, win));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_create_dynamic);
