/* shmcoll.h — shared-memory collective segments: flag blocks for schedules, and the start of this
 * room.
 *
 * A flag block is to persistent operations what a segment is to blocking ones: see flag_block.c.
 * Segments themselves are in adi3_shmcoll.h. */
#ifndef SHMCOLL_H
#define SHMCOLL_H

#include "adi3/adi3_shmcoll.h"
#include "adi3/base/base.h"

extern const struct setting shmcoll_settings[];
extern const struct counter shmcoll_counters[];
int shmcoll_init(void);

/* ---- flag blocks (flag_block.c) -------------------------------------------------------------- */

struct flag_block;
/* Makes a flag block for one persistent operation, in all processes of c together, with messages
 * of this tag. Sets *block to NULL when there is none, which then holds in all processes.
 * Errors: as adi3_sched_offload(). */
int flag_block_new(struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   struct flag_block **block);
void flag_block_end(struct flag_block *b); /* NULL is nothing */

/* Starts the operation: publishes this process's data. False when the block's memory is lost: then
 * the caller uses messages. */
bool flag_block_start(struct flag_block *b);
enum { FLAG_BLOCK_LOST = 2 }; /* neither an MPI error nor DEV_AGAIN */
/* The state of what was started. MPI_SUCCESS: call flag_block_take(). DEV_AGAIN: not complete.
 * FLAG_BLOCK_LOST: the memory is lost, do it again with messages. Else an MPI error. */
int flag_block_test(struct flag_block *b);
void flag_block_take(struct flag_block *b); /* puts the result where it belongs */

#endif /* SHMCOLL_H */
