/* wire_error.c — the MPI error of what a target has reported. */
#include "adi3/rma/messages/wire.h"

int wire_error(const struct adi3_win *w, int rank, int errclass, int64_t disp, uint64_t size)
{
    char title[RMA_TITLE];

    if (errclass != MPI_ERR_RMA_RANGE)
        return adi3_error(adi3_class_text(errclass) && errclass ? errclass : MPI_ERR_OTHER,
                          "an operation failed at %s, displacement %lld", rma_title(w, rank, title),
                          (long long) disp);
    if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return adi3_error(MPI_ERR_RMA_RANGE,
                          "an operation on %s: at 0x%llx is no attached memory of this length",
                          rma_title(w, rank, title), (unsigned long long) disp);
    return adi3_error(MPI_ERR_RMA_RANGE,
                      "an operation on %s: what is at displacement %lld is outside its %llu bytes",
                      rma_title(w, rank, title), (long long) disp, (unsigned long long) size);
}
