/* checkpoint_impl.h — shared between the files of src/adi3/checkpoint, and no others. */
#ifndef CHECKPOINT_IMPL_H
#define CHECKPOINT_IMPL_H

#include "adi3/checkpoint/checkpoint.h"

/* consensus.c */
/* Whether this job can be quiesced: the answer is the same in all processes, which call it
 * together. Nothing has changed when it cannot. Errors: MPI_ERR_OTHER. */
int quiesce_consensus(void);

/* quiesce.c */
int quiesce_lost(void); /* the error of a lost process of our job; MPI_SUCCESS when none is */

#endif /* CHECKPOINT_IMPL_H */
