#include "mpi/rma/rma.h"

static int win_allocate_memory(struct adi3_comm *c, const struct mpir_new_win *new, void *baseptr,
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

/* Allocates memory of size bytes in each process, and makes a window of it (§11.2.2). Sets the
 * pointer at baseptr to the memory of this process, which begins at a page, or
 * at a multiple of the hint mpi_minimum_memory_alignment, up to 1 GiB; NULL for size 0.
 * MPI_Win_free frees it. On a node it is shared, so that no operation there needs its owner; large
 * memory takes its pages when it is used. Hints in info are those of MPI_Win_create, and
 * mpi_minimum_memory_alignment. Collective.
 * Errors: MPI_ERR_SIZE, MPI_ERR_DISP, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_COMM, MPI_ERR_ARG,
 * MPI_ERR_NO_MEM; what fails in one process fails in all. */
int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                      MPI_Win *win)
{
    ENTER("MPI_Win_allocate", size, disp_unit, info, comm, baseptr, win);
    struct adi3_comm *c;
    struct mpir_new_win new = { .flavor = MPI_WIN_FLAVOR_ALLOCATE,
                                .disp_unit = disp_unit,
                                .size = size };

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_size_arg(NULL, size));
    TRY(mpir_disp_unit_arg(disp_unit));
    TRY(mpir_win_info_arg(info, &new));
    TRY(mpir_out_arg(baseptr, "baseptr"));
    TRY(mpir_out_arg(win, "win"));
    TRY(win_allocate_memory(c, &new, baseptr, win));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_allocate);
