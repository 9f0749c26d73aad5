/* memory.c — memory for messages and windows, aligned to cache lines, or to pages when it is large.
 *
 * It is ordinary memory. All allocations are in a tree, so that MPI_Free_mem can refuse any other
 * address without reading memory there. Guarded by the ADI3 lock. */
#include <search.h>
#include <stdlib.h>
#include <unistd.h>
#include "misc/alloc_mem.h"

enum { LINE = 64 };

static void *allocated; /* for tsearch(): the keys are the addresses themselves */
static long blocks;     /* in that tree */

static int compare(const void *a, const void *b)
{
    return ((uintptr_t) a > (uintptr_t) b) - ((uintptr_t) a < (uintptr_t) b);
}

int mpir_memory_get(size_t size, void **base)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE), align = size < page ? LINE : page;
    void *p = NULL;

    if (size > (size_t) PTRDIFF_MAX - page || posix_memalign(&p, align, size ? size : 1))
        return mpir_error(MPI_ERR_NO_MEM, "no memory for %zu bytes", size);
    if (!tsearch(p, &allocated, compare)) {
        free(p);
        return mpir_error(MPI_ERR_NO_MEM, "no memory to register %zu bytes", size);
    }
    blocks++;
    *base = p;
    return MPI_SUCCESS;
}

int mpir_memory_free(void *base)
{
    if (!tdelete(base, &allocated, compare))
        return mpir_error(MPI_ERR_BASE, "%p is not from MPI_Alloc_mem, or it was freed", base);
    blocks--;
    free(base);
    return MPI_SUCCESS;
}

long mpir_memory_blocks(void) { return blocks; }
