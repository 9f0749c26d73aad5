#include "mpi/core/large.h"
#include "mpi/rma/rma.h"

#define PARAMETERS(Count)                                                                          \
    const void *origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,    \
        MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win
#define ARGUMENTS                                                                                  \
    origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,            \
        target_datatype, win

MPIR_INLINE int put_body(struct mpir_call *call, PARAMETERS(MPI_Count))
{
    struct adi3_win *w;
    struct adi3_rma x = { .kind = ADI3_PUT, .target = target_rank, .disp = target_disp };
    int err = mpir_win_arg(call, win, &w);

    if (!err)
        err = mpir_data_arg(origin_addr, origin_count, origin_datatype, &x.origin);
    if (!err)
        err = mpir_target_arg(w, target_rank, "target_rank");
    if (!err)
        err = mpir_disp_arg(w, target_disp);
    if (!err)
        err = mpir_target_data_arg(&x, target_count, target_datatype);
    if (!err)
        err = mpir_fit_arg(&x);
    if (!err)
        err = mpir_rma(w, &x, NULL);
    return err;
}

/* The fast path to a target, or with a type, that mpir_reach() does not know yet. */
MPIR_INLINE bool put_first(const char *name, PARAMETERS(MPI_Count))
{
    const struct mpir_reached what = { .win = win, .target = target_rank, .type = origin_datatype };
    size_t len;
    char *at;

    if (origin_count == target_count && origin_datatype == target_datatype
        && (at = mpir_reach_first(name, &what, origin_addr, origin_count, target_disp, &len))) {
        mpir_rma_copy(at, origin_addr, len);
        return true;
    }
    return false;
}

__attribute__((noinline)) static int put_slow_path(PARAMETERS(int))
{
    if (put_first(MPIR_NAME("MPI_Put"), ARGUMENTS))
        return mpir_leave_quickly();
    ENTER("MPI_Put", ARGUMENTS);
    TRY(put_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}

__attribute__((noinline)) static int put_c_slow_path(PARAMETERS(MPI_Count))
{
    if (put_first(MPIR_NAME("MPI_Put_c"), ARGUMENTS))
        return mpir_leave_quickly();
    ENTER("MPI_Put_c", ARGUMENTS);
    TRY(put_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}

MPIR_INLINE bool put_quickly(const char *name, PARAMETERS(MPI_Count))
{
    const int count = (int) origin_count;
    size_t len;
    char *at;

    if (mpir_enter_quickly(name) && mpir_is_buffer(origin_addr) && origin_count == count
        && origin_count == target_count && origin_datatype == target_datatype
        && (at = mpir_reach(win, target_rank, origin_datatype, count, target_disp, &len))) {
        mpir_rma_copy(at, origin_addr, len);
        return true;
    }
    return false;
}

/* Writes elements to the window of a process, at target_disp in the displacement units of that
 * process (§11.3.1). Complete when the epoch ends or at a flush; until then the buffer must not
 * change. The target's data may be larger than the origin's. Nothing is done for target_rank
 * MPI_PROC_NULL.
 * Errors: MPI_ERR_WIN, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_RANK, MPI_ERR_DISP,
 * MPI_ERR_RMA_SYNC, MPI_ERR_RMA_RANGE, MPI_ERR_NO_MEM. */
int PMPI_Put(PARAMETERS(int))
{
    MPIR_SAVE_SIX(ARGUMENTS);
    if (put_quickly(MPIR_NAME("MPI_Put"), ARGUMENTS))
        return mpir_leave_quickly();
    return put_slow_path(MPIR_SAVED_SIX(ARGUMENTS));
}
MPIR_WEAK(Put);

int mpir_put_c(PARAMETERS(MPI_Count))
{
    MPIR_SAVE_SIX(ARGUMENTS);
    if (put_quickly(MPIR_NAME("MPI_Put_c"), ARGUMENTS))
        return mpir_leave_quickly();
    return put_c_slow_path(MPIR_SAVED_SIX(ARGUMENTS));
}
