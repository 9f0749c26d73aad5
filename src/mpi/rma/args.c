/* args.c — checks arguments of windows. */
#include <limits.h>
#include "mpi/rma/rma.h"

int mpir_wrong_win(MPI_Win h)
{
    if (h == MPI_WIN_NULL)
        return mpir_error(MPI_ERR_WIN, "the window is MPI_WIN_NULL");
    return mpir_error(MPI_ERR_WIN, "0x%x is not a window, or one that was freed", (unsigned) h);
}

static const char *call_of(int flavor)
{
    static const char *const calls[] = {
        [MPI_WIN_FLAVOR_CREATE] = "MPI_Win_create",
        [MPI_WIN_FLAVOR_ALLOCATE] = "MPI_Win_allocate",
        [MPI_WIN_FLAVOR_DYNAMIC] = "MPI_Win_create_dynamic",
        [MPI_WIN_FLAVOR_SHARED] = "MPI_Win_allocate_shared",
    };

    return calls[flavor];
}

int mpir_win_of_flavor_arg(struct mpir_call *call, MPI_Win h, int flavor, struct adi3_win **w)
{
    int err = mpir_win_arg(call, h, w);

    if (err || (*w)->flavor == flavor)
        return err;
    return mpir_error(MPI_ERR_RMA_FLAVOR, "the window is of %s, and this call is for those of %s",
                      call_of((*w)->flavor), call_of(flavor));
}

int mpir_wrong_target(const struct adi3_win *w, int rank, const char *what)
{
    return mpir_error(MPI_ERR_RANK, "%s %d%s is outside 0..%d", what, rank, mpir_rank_name(rank),
                      w->comm->size - 1);
}

int mpir_wrong_disp(const struct adi3_win *w, MPI_Aint disp)
{
    return mpir_error(MPI_ERR_DISP,
                      "target_disp is negative: %td; only windows of MPI_Win_create_dynamic have "
                      "such displacements, and this one is of %s",
                      disp, call_of(w->flavor));
}

int mpir_size_arg(const void *base, MPI_Aint size)
{
    if (!mpir_checking())
        return MPI_SUCCESS;
    if (size < 0)
        return mpir_error(MPI_ERR_SIZE, "the size is negative: %td", size);
    if ((uintptr_t) size > UINTPTR_MAX - (uintptr_t) base)
        return mpir_error(MPI_ERR_SIZE, "%td bytes from %p on are more than there are addresses",
                          size, base);
    return MPI_SUCCESS;
}

int mpir_disp_unit_arg(MPI_Aint disp_unit)
{
    if (mpir_checking() && disp_unit <= 0)
        return mpir_error(MPI_ERR_DISP, "disp_unit is not positive: %td", disp_unit);
    if (disp_unit > INT_MAX) /* it would be another one in the window */
        return mpir_error(MPI_ERR_DISP, "disp_unit is %td, more than %d", disp_unit, INT_MAX);
    return MPI_SUCCESS;
}

int mpir_assert_arg(int assertions, int allowed)
{
    static const struct {
        int bit;
        const char *name;
    } known[] = {
        { MPI_MODE_NOCHECK, "MPI_MODE_NOCHECK" },     { MPI_MODE_NOSTORE, "MPI_MODE_NOSTORE" },
        { MPI_MODE_NOPUT, "MPI_MODE_NOPUT" },         { MPI_MODE_NOPRECEDE, "MPI_MODE_NOPRECEDE" },
        { MPI_MODE_NOSUCCEED, "MPI_MODE_NOSUCCEED" },
    };

    if (!mpir_checking() || !(assertions & ~allowed))
        return MPI_SUCCESS;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (assertions & ~allowed & known[i].bit && assertions >= 0)
            return mpir_error(MPI_ERR_ASSERT, "assert has %s, which this call does not know",
                              known[i].name);
    return mpir_error(MPI_ERR_ASSERT, "assert has bits that are no assertions: 0x%x",
                      (unsigned) (assertions & ~allowed));
}
