/* shmcoll.h — shared-memory collective segments: flag blocks, for schedules, and the begin. */
#ifndef SHMCOLL_H
#define SHMCOLL_H

#include "adi3_shmcoll.h"
#include "base.h"

extern const struct setting shmcoll_settings[];
int shmcoll_init(void);

/* ---- flag blocks (flag_block.c) -------------------------------------------------------------- */

struct flag_block;
enum { FLAG_BLOCK_LOST = 2 }; /* neither an MPI error nor DEV_AGAIN */
/* NULL: there is none, in no process. Errors as adi3_sched_offload(). */
int flag_block_new(struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   struct flag_block **block);
void flag_block_end(struct flag_block *b);   /* NULL is nothing */
bool flag_block_start(struct flag_block *b); /* false: it is lost */
/* Of what was started: MPI_SUCCESS, take it; DEV_AGAIN, not yet; FLAG_BLOCK_LOST; or an error. */
int flag_block_test(struct flag_block *b);
void flag_block_take(struct flag_block *b);

#endif /* SHMCOLL_H */
