/* checkpoint.h — quiescing for checkpoints: the start of this room, for the job. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "adi3/adi3_checkpoint.h"

int checkpoint_init(void);

#endif /* CHECKPOINT_H */
