#include "mpi/misc/alloc_mem.h"

/* Many programs free the memory of a window just before the window, which does no harm when no
 * process accesses the memory any more: so that is an error with STARLING_CHECK=strict alone. */
static int no_window_arg(const void *base)
{
    const struct adi3_win *w = adi3_win_in(base, mpir_memory_len(base));
    const char *name = w && w->comm->name ? w->comm->name : "";

    if (!w)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_BASE, "memory at %p is in the window 0x%x%s%s%s: free that first",
                      base, (unsigned) w->handle, *name ? " '" : "", name, *name ? "'" : "");
}

/* Frees memory that MPI_Alloc_mem allocated (§8.2). NULL is allowed and frees nothing. The
 * memory of a window, or attached to one, may not be freed; STARLING_CHECK=strict finds that.
 * Errors: MPI_ERR_BASE. */
int PMPI_Free_mem(void *base)
{
    ENTER("MPI_Free_mem", base);

    if (base && adi3_check == ADI3_CHECK_STRICT)
        TRY(no_window_arg(base));
    if (base)
        TRY(mpir_memory_free(base));
    return mpir_leave(&call);
}
MPIR_WEAK(Free_mem);
