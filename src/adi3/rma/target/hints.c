/* hints.c — what the user asserts of a window by info keys (§11.2.1), and programs that break it.
 *
 * Other libraries ignore such hints, so programs give them that do not keep them. Here nothing is
 * left out for no_locks: a target that computes cannot know that another process has locked it. And
 * same_size and same_disp_unit hold only where they are true, which all processes see when they
 * make the window. */
#include "adi3/rma/target/target_impl.h"

static bool is_strict(void) { return adi3_check == ADI3_CHECK_STRICT && adi3_warn; }

void adi3_win_set_infos(struct adi3_win *w, unsigned infos)
{
    unsigned broken = infos & w->broken;
    char title[RMA_TITLE];

    assert(adi3_lock_held());
    w->infos = infos & ~w->broken;
    if (broken && w->comm->rank == 0 && is_strict())
        adi3_warn(adi3_error_text(adi3_error(
            MPI_ERR_INFO_VALUE, "%s: the info %s=true is ignored: %s are not the same",
            rma_title(w, -1, title), broken & ADI3_WIN_SAME_SIZE ? "same_size" : "same_disp_unit",
            broken & ADI3_WIN_SAME_SIZE ? "the sizes" : "the displacement units")));
}

void rma_check_locks(struct adi3_win *w, int rank)
{
    char title[RMA_TITLE];

    if (!(w->infos & ADI3_WIN_NO_LOCKS) || w->locks_told || !is_strict())
        return;
    w->locks_told = true;
    adi3_warn(adi3_error_text(adi3_error(
        MPI_ERR_RMA_SYNC, "%s of %s, which has the info no_locks=true; another library may fail",
        rank < 0 ? "MPI_Win_lock_all" : "MPI_Win_lock", rma_title(w, rank, title))));
}
