/* alloc_mem.h — memory that MPI_Alloc_mem gives out: MPI_Free_mem knows what was. */
#ifndef ALLOC_MEM_H
#define ALLOC_MEM_H

#include "mpir.h"

int mpir_memory_get(size_t size, void **base); /* size bytes at least, which are not looked at */
int mpir_memory_free(void *base);              /* MPI_ERR_BASE when it was not got here */
long mpir_memory_blocks(void);                 /* so many are not freed yet */

#endif /* ALLOC_MEM_H */
