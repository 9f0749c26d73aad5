/* rma_messages.h — operations, sync packets and locks by packets: the face of messages to the rooms
 * of one-sided communication above it. */
#ifndef RMA_MESSAGES_H
#define RMA_MESSAGES_H

#include "adi3/rma/shared/rma_shared.h"

/* ---- operations (send.c, flush.c) ------------------------------------------------------------ */

/* Starts an operation by messages or by the device. request: NULL, or set to a request that is done
 * when the operation is. */
int rma_send(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
             MPI_Request *request);
/* rma_flush_local() waits until the origin memory of all operations with t may be reused,
 * rma_flush() until t has done the operations, too. Returns the first error that t has reported, or
 * the error of the loss of t. */
int rma_flush_local(struct adi3_win *w, struct rma_target *t);
int rma_flush(struct adi3_win *w, struct rma_target *t);
/* Waits until the device has done its operations with t. */
void rma_device_wait(struct adi3_win *w, const struct rma_target *t);
/* The steps of a flush. To ask waits for nothing: so the flushes of many targets need one round
 * trip together. After its error rma_flush() asks again. */
int rma_ask_flush(struct adi3_win *w, struct rma_target *t);
int rma_await_answer(struct adi3_win *w, const struct rma_target *t, const char *what);
extern const struct rma_hooks rma_message_hooks;

/* ---- sync packets (sync.c) ------------------------------------------------------------------- */

/* Packets without payload, by kind in the tag. */
enum rma_sync {
    RMA_SYNC_FLUSH = 1, /* number: answer when all operations before it are done */
    RMA_SYNC_FLUSHED,   /* number, the first error: class, displacement, size */
    RMA_SYNC_LOCK,      /* enum rma_kind */
    RMA_SYNC_LOCKED,    /* error class: the lock will not come */
    RMA_SYNC_UNLOCK,    /* number: a flush, too; answered by FLUSHED */
    RMA_SYNC_POST,
    RMA_SYNC_COMPLETE,    /* when all operations before it are done */
    RMA_SYNC_KEY_REQUEST, /* asks for RMA_SYNC_KEY_REPLY */
    RMA_SYNC_KEY_REPLY,   /* struct rma_key */
    RMA_SYNC_TEST,        /* this one and the next: for tests */
    RMA_SYNCS = RMA_SYNC_TEST + 2
};

/* What is done when a sync packet of a kind has come. */
struct rma_sync_row {
    const char *name;
    /* Whether t may send it now: else its packet is refused. NULL: it may. */
    bool (*may_come)(const struct rma_target *t, const struct rma_sync_fields *f);
    /* All operations of t before the sync packet are done. An error: the sync packet cannot be
     * right, and t is lost. */
    int (*come)(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f);
};

/* Adds a row; does nothing when the row is there already.
 * Errors: MPI_ERR_INTERN when another row has this number or this name. */
int rma_sync_add(enum rma_sync sync, const struct rma_sync_row *row);

/* Sends a sync packet. Returns an MPI error when the target is lost. */
int rma_sync_send(struct adi3_win *w, int rank, enum rma_sync sync,
                  const struct rma_sync_fields *fields);

/* ---- locks (lock_wait.c, remote_lock.c) ------------------------------------------------------ */

/* Takes the lock of a process of this node and waits for it. Errors: a process has died. */
int rma_lock_wait(struct adi3_win *w, struct rma_control *owner, enum rma_kind kind);
void rma_lock_drop(struct adi3_win *w, struct rma_control *owner, enum rma_kind kind);
/* The lock of a process of another node (remote_lock.c). It is due after this; with several threads
 * it is asked for and waited for. */
int remote_lock_begin(struct adi3_win *w, struct rma_target *t, enum rma_kind kind);
/* Asks for what is due, in any window, and waits; an error is told by the next flush. */
void remote_lock_settle(void);
/* The lock is given up; true: it was never asked for. */
bool remote_lock_drop(struct rma_target *t);

#endif /* RMA_MESSAGES_H */
