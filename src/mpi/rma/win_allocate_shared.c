#include "mpi/rma/rma.h"

static int win_allocate_segment(struct adi3_comm *c, const struct mpir_new_win *new, void *baseptr,
                                MPI_Win *win)
{
    struct adi3_win *w;
    int err = mpir_win_make(c, new, &w);

    if (err)
        return err;
    *(void **) baseptr = w->base;
    *win = w->handle;
    return MPI_SUCCESS;
}

/* Allocates memory of size bytes in each process that all processes of comm can load and store, and
 * makes a window of it (§11.2.3). Sets the pointer at baseptr to the memory of this process;
 * MPI_Win_shared_query gives those of others. In the order of ranks the parts follow each other
 * without a gap, unless the hint alloc_shared_noncontig is true in all processes: then each begins
 * at a page. With size 0 the pointer is where the part would begin. Hints in info are also those of
 * MPI_Win_allocate. Collective.
 * Errors: MPI_ERR_SIZE, MPI_ERR_DISP, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_COMM, MPI_ERR_ARG,
 * MPI_ERR_NO_MEM, MPI_ERR_RMA_SHARED when the processes are not on one node; what fails in one
 * process fails in all. */
int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                             void *baseptr, MPI_Win *win)
{
    ENTER("MPI_Win_allocate_shared", size, disp_unit, info, comm, baseptr, win);
    struct adi3_comm *c;
    struct mpir_new_win new = { .flavor = MPI_WIN_FLAVOR_SHARED,
                                .disp_unit = disp_unit,
                                .size = size };

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_size_arg(NULL, size));
    TRY(mpir_disp_unit_arg(disp_unit));
    TRY(mpir_win_info_arg(info, &new));
    TRY(mpir_out_arg(baseptr, "baseptr"));
    TRY(mpir_out_arg(win, "win"));
    TRY(win_allocate_segment(c, &new, baseptr, win));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_allocate_shared);
