/* epoch_error.c — the error of a call that the epochs of a window do not allow. */
#include "adi3/rma/epoch/epoch_impl.h"

int rma_wrong(const struct adi3_win *w, int rank, const char *why)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_RMA_SYNC, "%s: %s", rma_title(w, rank, title), why);
}
