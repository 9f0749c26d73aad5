/* rma_lock.h — a window of several forked processes, whose packets the test takes. */
#ifndef RMA_LOCK_H
#define RMA_LOCK_H

#include "fake.h"
#include "adi3/rma/target/target_impl.h"
#include "adi3/rma/messages/wire.h"

enum { RMA_PROCESSES = 5 }; /* of the shared window */

/* What the processes of the shared window do in their critical sections. */
struct rma_ground {
    struct {
        _Atomic int readers, writers;
        uint64_t a, b; /* equal outside of writes, which count them up */
        _Atomic uint64_t writes;
    } of[RMA_PROCESSES];
    _Atomic int step; /* of a test, for the others */
    struct rma_control control[RMA_PROCESSES];
};

extern struct rma_ground *rma_ground;
/* A window of RMA_PROCESSES processes of this node, whose ranks are their indices. Fresh. */
struct adi3_win *rma_shared_window(void);
void rma_become(int index); /* in a forked process: it is this one of the window */
void rma_step(int step);    /* says that a test has come so far */
void rma_await(int step);   /* until another process says so */

/* The sync packets that have been sent, in their order. */
struct rma_sent {
    int rank;
    enum rma_sync sync;
    struct rma_sync_fields fields;
};
enum { RMA_SENT = 64 };
extern struct rma_sent rma_sent[RMA_SENT];
extern int rma_nsent, rma_flushes;
extern bool rma_dead_remote; /* the next lock is answered with an error */

int rma_setup(void **state), rma_teardown(void **state);

#endif /* RMA_LOCK_H */
