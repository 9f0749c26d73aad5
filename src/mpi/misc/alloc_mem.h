/* alloc_mem.h — memory that MPI_Alloc_mem gives out: MPI_Free_mem knows what was. */
#ifndef ALLOC_MEM_H
#define ALLOC_MEM_H

#include "mpir.h"

int mpir_memory_get(size_t size, void **base); /* size bytes at least, which are not looked at */
int mpir_memory_free(void *base);              /* MPI_ERR_BASE when it was not got here */
void mpir_memory_left(void);                   /* tells mpir_left() what was not freed */

#endif /* ALLOC_MEM_H */
