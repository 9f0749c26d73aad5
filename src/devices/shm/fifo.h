/* fifo.h — the receive FIFO. */
#ifndef FIFO_H
#define FIFO_H

#include "devices/shm/segment.h"

extern struct shm_fifo *shm_own_fifo; /* that this process reads */
extern uint64_t shm_fifo_head;        /* cells read */
void shm_fifo_init(struct shm_fifo *own);
/* A cell for writing, by the process with this index in the memory that has the FIFO; NULL: it is
 * full. */
struct shm_cell *shm_fifo_claim(struct shm_fifo *fifo, int index);
void shm_fifo_publish(struct shm_cell *cell);

static inline struct shm_cell *shm_fifo_at_head(void)
{
    return &shm_own_fifo->cell[shm_fifo_head % SHM_CELLS];
}

static inline bool shm_fifo_is_empty(void) /* no cell is filled or claimed */
{
    const struct shm_cell *c = shm_fifo_at_head();

    return !(atomic_load_explicit(&c->claim, memory_order_acquire) & SHM_CLAIM_WRITER);
}

struct shm_cell *shm_fifo_next(void); /* the next cell with an entry; NULL: none */
int shm_fifo_writer(const struct shm_cell *cell);
void shm_fifo_release(struct shm_cell *cell); /* frees the cell of shm_fifo_next() */
/* To be called behind shm_fifo_next(), for all cells that are free now: wakes all processes that
 * sleep, if a writer waits for a cell. Which one waits is not known. A process that does not looks
 * again and sleeps on, so among many processes this takes long. */
void shm_fifo_wake_writers(void);

#endif /* FIFO_H */
