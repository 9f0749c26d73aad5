/* rma_epoch.h — operations and their synchronization: the face of epoch to the begin and end of
 * one-sided communication. */
#ifndef RMA_EPOCH_H
#define RMA_EPOCH_H

#include "adi3/rma/target/rma_target.h"

extern const struct rma_hooks rma_pscw_hooks;

#endif /* RMA_EPOCH_H */
