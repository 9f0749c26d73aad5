/* cma.h — reading and writing a peer's memory directly. */
#ifndef CMA_H
#define CMA_H

#include <sys/types.h>
#include "devices/shm/segment.h"

enum {
    SHM_READ_MOST = 128 << 10, /* bytes that one call reads while the sender takes part */
    SHM_GET_LEAST = 512,       /* average bytes of a range for which noncontiguous reads pay */
};
extern bool shm_use_cma;
void shm_cma_init(struct shm_fifo *own);
int shm_cma_refusal(const struct shm_fifo *fifo); /* why its owner cannot be read; 0: it can */
/* Reads the bytes `at` to `end` of a get. 0 or a negative errno. */
int shm_cma_read(pid_t pid, const struct dev_get *op, size_t at, size_t end);
/* Writes the bytes `at` to `end` of a put. 0 or a negative errno. */
int shm_cma_write(pid_t pid, const struct dev_put *op, size_t at, size_t end);
void shm_describe(const struct dev_peer *peer, char *text, size_t len);

#endif /* CMA_H */
