#include "mpi/info/info.h"
#include "mpi/rma/rma.h"

/* Sets new values for hints of a window (§11.2.7). Of the keys in info these are known: no_locks,
 * same_size and same_disp_unit, each true or false; accumulate_ordering, a list of rar, raw, war
 * and waw, or none; accumulate_ops, same_op or same_op_no_op. Hints that are not in info keep their
 * values. Collective, but waits for no other process.
 * Errors: MPI_ERR_WIN, MPI_ERR_INFO, MPI_ERR_INFO_VALUE. */
int PMPI_Win_set_info(MPI_Win win, MPI_Info info)
{
    ENTER("MPI_Win_set_info", win, info);
    struct adi3_win *w;
    struct mpir_info *i;
    unsigned infos;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_info_arg(info, &i));
    infos = w->infos;
    TRY(mpir_win_hints_read(i, false, &infos));
    adi3_win_set_infos(w, infos);
    return mpir_leave(&call);
}
MPIR_WEAK(Win_set_info);
