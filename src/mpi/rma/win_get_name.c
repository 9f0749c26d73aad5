#include <string.h>
#include "mpi/rma/rma.h"

/* Returns the name of a window (§6.8). It is empty when the window has none; win_name has room for
 * MPI_MAX_OBJECT_NAME characters, and resultlen does not count the null character.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG. */
int PMPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen)
{
    ENTER("MPI_Win_get_name", win, win_name, resultlen);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_out_arg(win_name, "win_name"));
    TRY(mpir_out_arg(resultlen, "resultlen"));
    const char *name = w->comm->name ? w->comm->name : "";
    *resultlen = (int) strlen(name);
    memcpy(win_name, name, (size_t) *resultlen + 1);
    return mpir_leave(&call);
}
MPIR_WEAK(Win_get_name);
