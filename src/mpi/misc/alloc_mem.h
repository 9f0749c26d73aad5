/* alloc_mem.h — the memory of MPI_Alloc_mem. */
#ifndef ALLOC_MEM_H
#define ALLOC_MEM_H

#include "mpi/mpir.h"
#include "platform/counter.h"

extern const struct counter mpir_memory_counters[]; /* ended by a NULL name */

/* At least size bytes, not initialized, at a multiple of align, a power of two. shared: windows of
 * MPI_Win_create share them with the processes of the node. */
int mpir_memory_get(size_t size, size_t align, bool shared, void **base);
size_t mpir_memory_len(const void *base); /* 0: it is not from here, or freed */
int mpir_memory_free(void *base);         /* MPI_ERR_BASE when it is not from here */
long mpir_memory_blocks(void);            /* allocations that are not freed yet */

#endif /* ALLOC_MEM_H */
