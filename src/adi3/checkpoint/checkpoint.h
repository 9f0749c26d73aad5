/* checkpoint.h — quiescing for checkpoints: what the job does at its begin. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "adi3_checkpoint.h"

int checkpoint_init(void);

#endif /* CHECKPOINT_H */
