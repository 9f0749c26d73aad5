/* epoch_impl.h — shared between the files of src/adi3/rma/epoch, and no others. */
#ifndef EPOCH_IMPL_H
#define EPOCH_IMPL_H

#include "adi3/adi3_comm.h"
#include "adi3/adi3_p2p.h"
#include "adi3/rma/epoch/rma_epoch.h"
#include "adi3/rma/messages/rma_messages.h"

/* MPI_ERR_RMA_SYNC of a call for a target, or for the window (rank -1), for this reason. */
int rma_wrong(const struct adi3_win *w, int rank, const char *why);
/* Whether w may access t now. Takes the lock of a target under MPI_Win_lock_all at its first use,
 * and waits for MPI_Win_post. Errors: MPI_ERR_RMA_SYNC, whose text says what is missing. */
int rma_access(struct adi3_win *w, struct rma_target *t);
int pscw_await_post(struct adi3_win *w, struct rma_target *t);
/* The lock of t, whatever its path. Waits until it is held. */
int rma_access_acquire(struct adi3_win *w, struct rma_target *t, bool exclusive);

#endif /* EPOCH_IMPL_H */
