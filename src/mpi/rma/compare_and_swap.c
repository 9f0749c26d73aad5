#include "mpi/rma/rma.h"

static int type_arg(const struct adi3_type *t)
{
    if (!mpir_checking() || mpir_can_compare(t))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_TYPE,
                      "%s cannot be compared: it is no integer, logical, byte or character",
                      t->name);
}

__attribute__((noinline)) static int compare_and_swap(const void *origin_addr,
                                                      const void *compare_addr, void *result_addr,
                                                      MPI_Datatype datatype, int target_rank,
                                                      MPI_Aint target_disp, MPI_Win win)
{
    ENTER("MPI_Compare_and_swap", origin_addr, compare_addr, result_addr, datatype, target_rank,
          target_disp, win);
    struct adi3_win *w;
    struct adi3_data compare;
    struct adi3_rma x = { .kind = ADI3_COMPARE_AND_SWAP,
                          .target = target_rank,
                          .disp = target_disp,
                          .count = 1,
                          .compare = compare_addr };

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_element_arg(origin_addr, datatype, &x.origin));
    TRY(mpir_element_arg(compare_addr, datatype, &compare));
    TRY(mpir_element_arg(result_addr, datatype, &x.result));
    x.type = x.origin.type;
    TRY(type_arg(x.type));
    TRY(mpir_target_arg(w, target_rank, "target_rank"));
    TRY(mpir_disp_arg(w, target_disp));
    TRY(mpir_rma(w, &x, NULL));
    return mpir_leave(&call);
}

/* Replaces one element in the window of a process by that at origin_addr if it is equal to that at
 * compare_addr, and returns it as it was before at result_addr (§11.3.4). Atomic among all
 * accumulate calls; complete when the epoch ends or at a flush. The type is an integer of C or
 * Fortran, a logical one, MPI_BYTE, MPI_AINT, MPI_OFFSET or MPI_COUNT; also MPI_CHAR and
 * MPI_CHARACTER, as in MPICH.
 * Errors: as MPI_Put. */
int PMPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                          MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    struct adi3_win *w = mpir_quick_win(MPIR_NAME("MPI_Compare_and_swap"), win);
    struct adi3_rma_element e = { .origin = origin_addr,
                                  .compare = compare_addr,
                                  .result = result_addr };

    if (w && compare_addr && compare_addr != MPI_IN_PLACE && result_addr
        && result_addr != MPI_IN_PLACE
        && mpir_quick_element(w, target_rank, target_disp, datatype, MPI_OP_NULL, &e))
        return mpir_leave_quickly();
    return compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank,
                            target_disp, win);
}
MPIR_WEAK(Compare_and_swap);
