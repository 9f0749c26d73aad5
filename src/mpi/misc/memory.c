/* memory.c — memory for messages and windows: aligned to lines of the cache, or to pages when it is
 * large.
 *
 * It is ordinary memory. What was given out is in a tree, so that another address can be refused
 * without a look at what is there. Guarded by the ADI3 lock. */
#include <search.h>
#include <stdlib.h>
#include <unistd.h>
#include "core.h"
#include "misc/alloc_mem.h"

enum { LINE = 64 };

static void *given; /* for tsearch(): the keys are the addresses themselves */

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
    if (!tsearch(p, &given, compare)) {
        free(p);
        return mpir_error(MPI_ERR_NO_MEM, "no memory to remember %zu bytes", size);
    }
    *base = p;
    return MPI_SUCCESS;
}

int mpir_memory_free(void *base)
{
    if (!tdelete(base, &given, compare))
        return mpir_error(MPI_ERR_BASE, "MPI_Alloc_mem did not give %p, or it was freed", base);
    free(base);
    return MPI_SUCCESS;
}

static void leave(const void *node, VISIT when, int depth)
{
    (void) node;
    (void) depth;
    if (when == postorder || when == leaf) /* each once */
        mpir_left("allocation", "MPI_Alloc_mem");
}

void mpir_memory_left(void) { twalk(given, leave); }
