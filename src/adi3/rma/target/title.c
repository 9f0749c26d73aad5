/* title.c — how texts name a window and its targets. */
#include <stdio.h>
#include "adi3/rma/target/target_impl.h"

const char *rma_title(const struct adi3_win *w, int rank, char text[RMA_TITLE])
{
    int n = rank < 0 ? 0 : snprintf(text, RMA_TITLE, "rank %d of ", rank);

    if (w->comm->name && *w->comm->name)
        (void) snprintf(text + n, RMA_TITLE - (size_t) n, "window '%s'", w->comm->name);
    else
        (void) snprintf(text + n, RMA_TITLE - (size_t) n, "window 0x%x", (unsigned) w->handle);
    return text;
}

int rma_no_target(const struct adi3_win *w, int rank)
{
    char title[RMA_TITLE];

    return adi3_no_memory("for %s", rma_title(w, rank, title));
}
