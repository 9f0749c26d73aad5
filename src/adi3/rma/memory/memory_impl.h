/* memory_impl.h — shared between the files of src/adi3/rma/memory, and no others. */
#ifndef MEMORY_IMPL_H
#define MEMORY_IMPL_H

#include "adi3/rma/memory/rma_memory.h"

/* ---- memory of the last window (memory_cache.c) ---------------------------------------------- */

/* Bytes, at most: of memory that is reserved, since of larger one the time goes into zeros; and of
 * memory that is promised, since the promise keeps others from it. */
enum { RMA_CACHE_MOST = 256 << 10, RMA_CACHE_PROMISED_MOST = 64 << 20 };

/* Takes what is kept if this process has made it with this length, as zeros. For the leader of a
 * new window. */
bool rma_cache_take(struct rma_memory *m, size_t len);
/* Takes the cached memory if the leader exposes the same. */
bool rma_cache_find(struct rma_memory *m, const struct adi3_win_share *s);
/* Keeps the memory of a window that all processes have freed, or frees it. */
void rma_cache_put(struct rma_memory *m);
bool rma_cache_is_empty(void);

/* ---- regions (alloc_region.c) ---------------------------------------------------------------- */

/* Maps it at a multiple of align, and of huge pages if it shall have some, before anything is
 * written there. Errors: MPI_ERR_NO_MEM. */
int rma_share_place(struct node_share *s, size_t align);
/* node_share_reserve(), in huge pages if it shall have some. */
int rma_share_reserve(struct node_share *s, size_t at, size_t len);
/* The region of this process that contains the memory, and how other processes find it; or NULL. */
struct rma_alloc_region *rma_alloc_region_find(const void *base, size_t size,
                                               struct adi3_win_region *region);
int rma_alloc_region_open_socket(struct rma_alloc_region *a, struct adi3_win_region *region);
/* Opens and maps what process `rank` of the window exposes. Errors: ADI3_WIN_HIDDEN, MPI_ERR_OTHER,
 * MPI_ERR_NO_MEM. */
int rma_share_open(const struct adi3_win_share *s, int rank, struct node_share *mapped);
/* The view of the memory that r exposes. The region stays until rma_alloc_region_release(). Errors:
 * as rma_share_open(). */
int rma_alloc_region_map(const struct adi3_win_region *r, int rank, struct rma_view *view);
void rma_alloc_region_release(struct rma_alloc_region *a);

#endif /* MEMORY_IMPL_H */
