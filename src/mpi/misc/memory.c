/* memory.c — memory for messages and windows, aligned to cache lines, or to pages when it is large.
 *
 * It is ordinary memory, that of a device which has its own for this, or regions of src/adi3. All
 * allocations are in a tree, so that MPI_Free_mem can refuse any other address without reading
 * memory there. Guarded by the ADI3 lock. */
#include <search.h>
#include <stdlib.h>
#include <unistd.h>
#include "mpi/misc/alloc_mem.h"

enum { LINE = 64 };

struct block {
    uintptr_t base;
    size_t len;
    bool shared; /* a region */
};

static void *allocated; /* for tsearch(): all blocks, by address */
static unsigned blocks; /* in that tree */

const struct counter mpir_memory_counters[] = {
    COUNTER_ROW("alloc_mem_blocks", COUNTER_LEVEL, blocks, "blocks",
                "How many blocks of MPI_Alloc_mem the program has not freed."),
    { 0 }
};

static int block_compare(const void *a, const void *b)
{
    const struct block *x = a, *y = b;

    return (x->base > y->base) - (x->base < y->base);
}

static struct block *block_find(const void *base)
{
    const struct block key = { .base = (uintptr_t) base };
    struct block **at = tfind(&key, &allocated, block_compare);

    return at ? *at : NULL;
}

static bool register_block(void *base, size_t len, bool shared)
{
    struct block *b = malloc(sizeof *b);

    if (!b)
        return false;
    *b = (struct block) { (uintptr_t) base, len, shared };
    if (!tsearch(b, &allocated, block_compare)) {
        free(b);
        return false;
    }
    blocks++;
    return true;
}

static void memory_drop(void *base, bool shared)
{
    if (shared)
        adi3_alloc_region_free(base);
    else if (!dev_free_mem(base))
        free(base);
}

static int get_private(size_t size, size_t align, void **base)
{
    size_t len = size ? size : 1;

    *base = dev_alloc_mem(align, len);
    if (!*base && posix_memalign(base, align, len))
        return adi3_no_memory("for %zu bytes", size);
    adi3_huge_advise(*base, size);
    return MPI_SUCCESS;
}

int mpir_memory_get(size_t size, size_t align, bool shared, void **base)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE), least = size < page ? LINE : page;
    void *p = NULL;

    shared &= size > 0;
    align = align < least ? least : align;
    align = align < adi3_huge_align(size) ? adi3_huge_align(size) : align;
    if (align > PTRDIFF_MAX || size > (size_t) PTRDIFF_MAX - align)
        return adi3_no_memory("for %zu bytes", size);
    int err = shared ? adi3_alloc_region_make(size, align, &p) : get_private(size, align, &p);
    if (err)
        return err;
    if (!register_block(p, size, shared)) {
        memory_drop(p, shared);
        return adi3_no_memory("to register %zu bytes", size);
    }
    *base = p;
    return MPI_SUCCESS;
}

size_t mpir_memory_len(const void *base)
{
    const struct block *b = block_find(base);

    return b ? b->len : 0;
}

int mpir_memory_free(void *base)
{
    struct block *b = block_find(base);

    if (!b)
        return mpir_error(MPI_ERR_BASE, "%p is not from MPI_Alloc_mem, or it was freed", base);
    (void) tdelete(b, &allocated, block_compare);
    memory_drop(base, b->shared);
    free(b);
    blocks--;
    return MPI_SUCCESS;
}

long mpir_memory_blocks(void) { return blocks; }
