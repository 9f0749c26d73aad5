#include "misc/alloc_mem.h"

static int size_arg(MPI_Aint size)
{
    if (size >= 0)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "the size is negative: %td", size);
}

/* No key of an info means anything here. */
static int info_arg(MPI_Info info)
{
    enum { KIND = 7 };
    unsigned how = (unsigned) info >> 30, kind = (unsigned) info >> 26 & 15;

    if (info == MPI_INFO_NULL || (kind == KIND && (how == ADI3_HOW_POOL || info == MPI_INFO_ENV)))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_INFO, "0x%x is not an info", (unsigned) info);
}

/* Gives size bytes, aligned to 64 or, when it is a page at least, to pages; baseptr is the address
 * of a pointer (§8.2). Other memory serves as well. Of 0 bytes an address that must be freed, too.
 * Errors: MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_NO_MEM. */
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    ENTER("MPI_Alloc_mem", size, info, baseptr);

    TRY(size_arg(size));
    TRY(info_arg(info));
    TRY(mpir_out_arg(baseptr, "baseptr"));
    TRY(mpir_memory_get((size_t) size, baseptr));
    return mpir_leave(&call);
}
MPIR_WEAK(Alloc_mem);
