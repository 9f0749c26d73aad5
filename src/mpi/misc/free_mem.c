#include "misc/alloc_mem.h"

/* Frees memory that MPI_Alloc_mem allocated (§8.2). NULL is allowed and frees nothing.
 * Errors: MPI_ERR_BASE. */
int PMPI_Free_mem(void *base)
{
    ENTER("MPI_Free_mem", base);

    if (base)
        TRY(mpir_memory_free(base));
    return mpir_leave(&call);
}
MPIR_WEAK(Free_mem);
