#include "mpi/core/large.h"
#include "mpi/rma/rma.h"

#define PARAMETERS(Aint)                                                                           \
    void *base, MPI_Aint size, Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win
#define ARGUMENTS base, size, disp_unit, info, comm, win

static int win_create_body(struct mpir_call *call, PARAMETERS(MPI_Aint))
{
    struct adi3_comm *c;
    struct adi3_win *w;
    struct mpir_new_win new = {
        .flavor = MPI_WIN_FLAVOR_CREATE, .disp_unit = (int) disp_unit, .base = base, .size = size
    };
    int err = mpir_intra_arg(call, comm, &c);

    if (!err)
        err = mpir_size_arg(base, size);
    if (!err)
        err = mpir_disp_unit_arg(disp_unit);
    if (!err)
        err = mpir_win_info_arg(info, &new);
    if (!err)
        err = mpir_out_arg(win, "win");
    if (!err)
        err = mpir_win_make(c, &new, &w);
    if (!err)
        *win = w->handle;
    return err;
}

/* Makes a window of memory of the program, in which the processes of comm can access each other
 * (§11.2.1). size, disp_unit and the memory may differ from process to process; size 0 exposes
 * nothing. Displacements count disp_unit bytes. The memory must stay until the window is freed.
 * Hints in info are no_locks, same_size, same_disp_unit, accumulate_ordering and accumulate_ops.
 * They change little: accumulates are atomic and in order, and locks work, whatever they say.
 * Collective; returns when all processes have called it.
 * Errors: MPI_ERR_SIZE, MPI_ERR_DISP, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_COMM, MPI_ERR_ARG,
 * MPI_ERR_NO_MEM; what fails in one process fails in all. */
int PMPI_Win_create(PARAMETERS(int))
{
    ENTER("MPI_Win_create", ARGUMENTS);
    TRY(win_create_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_create);

int mpir_win_create_c(PARAMETERS(MPI_Aint))
{
    ENTER("MPI_Win_create_c", ARGUMENTS);
    TRY(win_create_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}
