#include "mpi/info/info.h"
#include "mpi/misc/alloc_mem.h"

static int size_arg(MPI_Aint size)
{
    if (size >= 0)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "the size is negative: %td", size);
}

/* Allocates memory of size bytes; baseptr is the address of a pointer (§8.2). The memory is aligned
 * to 64 bytes, and to pages when size is at least a page. MPI functions take any other memory as
 * well. An allocation of 0 bytes also has an address that must be freed. The info key
 * mpi_minimum_memory_alignment asks for more: bytes, a power of two. With the info key alloc_shm
 * "true", or STARLING_ALLOC_MEM=shared, the memory is at pages, zero, and shared with the other
 * processes of the node when MPI_Win_create is called with it.
 * Errors: MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_NO_MEM. */
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    ENTER("MPI_Alloc_mem", size, info, baseptr);
    struct mpir_info *i;
    size_t align = 1;
    bool shared = adi3_alloc_mem_shared;

    TRY(size_arg(size));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_info_alignment(i, &align));
    TRY(mpir_info_bool(i, "alloc_shm", &shared));
    TRY(mpir_out_arg(baseptr, "baseptr"));
    TRY(mpir_memory_get((size_t) size, align, shared, baseptr));
    return mpir_leave(&call);
}
MPIR_WEAK(Alloc_mem);
