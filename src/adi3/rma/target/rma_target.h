/* rma_target.h — windows and their targets: the face of target to the rooms of one-sided
 * communication above it. */
#ifndef RMA_TARGET_H
#define RMA_TARGET_H

#include "adi3/rma/memory/rma_memory.h"

/* ---- targets (target.c) ---------------------------------------------------------------------- */

/* How the memory of a target may be accessed: RMA_POSTED after the target's MPI_Win_post, other
 * values by a lock. */
enum rma_access { RMA_NO_ACCESS, RMA_SHARED, RMA_EXCLUSIVE, RMA_JOINED, RMA_NOCHECK, RMA_POSTED };

/* What a sync packet carries: see enum rma_sync. */
struct rma_sync_fields {
    uint32_t number;
    int32_t errclass;
    int64_t disp;
    uint64_t size;
    uint32_t value; /* enum rma_kind; of an error 1: the lock was denied */
    uint32_t zero;
};

/* What a process says of its memory to an origin, whose device reads and writes it: device.c. */
struct rma_key {
    uint64_t addr, key, size;  /* addr 0: it cannot be reached so */
    int32_t disp_unit, device; /* which device: struct adi3_dev.place */
};

/* How it is known that a lock has come which an operation has asked for; RMA_DENIED: it has not. */
enum rma_awaits { RMA_BY_NOTHING, RMA_BY_SYNC, RMA_BY_DATA, RMA_DENIED };

enum rma_key_state { RMA_KEY_UNKNOWN, RMA_KEY_REQUESTED, RMA_KEY_KNOWN, RMA_KEY_NONE };

struct rma_target { /* a process of the window that this process has accessed */
    struct adi3_rma_quick quick;
    struct rma_control *control; /* NULL: it is on another node */
    int rank;
    uint8_t path; /* enum rma_path */
    bool started; /* it is in the group of MPI_Win_start */
    bool taken;   /* a thread is taking its lock */
    /* Posts and completes of the target: received by sync packets less already awaited, ... */
    int posts, completes;
    /* ... and in shared memory: all signals to the target, and those to this process (NULL: another
     * node), in them those of this process and of the target (NULL: no place has been taken), and
     * how many signals this process has given and taken. */
    struct rma_signals *signals, *own_signals;
    struct rma_signal *to, *from;
    int index; /* in the node */
    uint8_t posts_given, completes_given, posts_taken, completes_taken;
    /* Operations by messages. */
    unsigned pending;   /* not complete here: their memory is in use */
    unsigned unflushed; /* given to the device since the last flush that it has answered */
    uint32_t asked,
        answered;        /* numbers of the last request to flush or unlock, and of the answer */
    bool granted;        /* it has answered a request for its lock */
    uint8_t lock_due;    /* enum rma_kind + 1: the next operation asks for its lock; 0: none does */
    uint8_t awaits_lock; /* enum rma_awaits, before the next operation */
    bool denied;         /* as the origin: its lock will not come, its operations fail */
    uint8_t key_state;   /* enum rma_key_state */
    bool op_delayed;     /* a small operation that is not sent yet: piggyback.c */
    unsigned at_device;  /* of `pending`, those that the device does */
    struct rma_key key;  /* when it is known */
    int err;             /* the first error that it has reported; MPI_SUCCESS */
    struct rma_waiter *ticket;    /* of this process's lock, which it has asked for by packets */
    struct rma_type_cache *types; /* that it knows by number: type.c */
    struct rma_regions *regions;  /* that it had attached when they were read: dynamic.c; or NULL */
    struct rma_accesses
        *accesses;           /* of this epoch, with STARLING_CHECK=strict: overlap.c; or NULL */
    struct rma_batch *batch; /* accumulates by CMA that are not done: batch.c; or NULL */
    /* As the origin of operations on this process's memory. */
    struct rma_pending *after;     /* what has come and waits for what came before: queue.c */
    struct rma_sync_fields failed; /* the first error, for its next flush; errclass 0: none */
};

int rma_no_target(const struct adi3_win *w, int rank); /* the error without memory */
/* The target of this rank, made when it is first touched. NULL without memory. */
struct rma_target *rma_target(struct adi3_win *w, int rank);
/* The next target that has been touched, in the order of ranks, from *rank on; NULL: no more. */
struct rma_target *rma_next_target(const struct adi3_win *w, int *rank);
/* Whether operations of w are with a device, or are arriving, or will be sent in the next poll. */
bool rma_is_busy(const struct adi3_win *w);
/* Waits for a packet from a process of w: one turn. Errors: it is lost. */
int rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank);
/* The window that packets name by the context id of its communicator; NULL: there is none. */
struct adi3_win *rma_win_of(uint32_t ctx);
/* Names a window and a target for texts: "rank 3 of window 'halo'"; rank -1: the window alone.
 * Returns text. */
enum { RMA_TITLE = MPI_MAX_OBJECT_NAME + 64 };
const char *rma_title(const struct adi3_win *w, int rank, char text[RMA_TITLE]);

/* ---- what files above do with windows (window_hooks.c) --------------------------------------- */

/* The events of a window that a file acts on. Members may be NULL. */
struct rma_hooks {
    const char *name;
    int (*init)(void); /* when the row is added. Returns an MPI error: then it is not */
    void (*target_free)(struct rma_target *t); /* frees what it has of t */
    void (*window_free)(struct adi3_win *w);   /* the same of w, while its targets are there */
};

/* Adds a row, the lower rooms' first: those above are called before them. Of a row that is there
 * already only init is called.
 * Errors: of init; MPI_ERR_INTERN when another row has this name, or all places are taken. */
int rma_hooks_add(const struct rma_hooks *h);

/* ---- ranges (range.c) ------------------------------------------------------------------------ */

/* Whether what x names at the target is in the memory of a process of rank `rank`; sets its offset
 * there. Errors: MPI_ERR_RMA_RANGE. */
int rma_range(const struct adi3_win *w, int rank, const struct adi3_rma *x, int disp_unit,
              uint64_t size, MPI_Aint *offset);

/* ---- operations that conflict (overlap.c) ---------------------------------------------------- */

/* Warns once for each window when x overlaps an operation before it. */
void rma_check_overlap(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x);
void rma_free_accesses(struct rma_target *t);
static inline void rma_forget_accesses(struct rma_target *t) /* a flush, or the end of the epoch */
{
    if (__builtin_expect(t->accesses != NULL, 0))
        rma_free_accesses(t);
}

/* ---- info hints (hints.c) -------------------------------------------------------------------- */

/* With STARLING_CHECK=strict, warns once of a window with no_locks that is locked: by MPI_Win_lock
 * of this rank, or MPI_Win_lock_all (-1). */
void rma_check_locks(struct adi3_win *w, int rank);

/* ---- dynamic windows (dynamic.c) ------------------------------------------------------------- */

/* The data that x names in regions of t; displacements are addresses there (§11.2.4).
 * Errors: MPI_ERR_RMA_RANGE. */
int rma_region_data(const struct adi3_win *w, const struct rma_target *t,
                    const struct rma_regions *r, const struct adi3_rma *x, struct adi3_data *d);
/* Reads anew what a process of this node has attached, if that has changed: t->regions.
 * Errors: MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int rma_regions_read(const struct adi3_win *w, struct rma_target *t);

#endif /* RMA_TARGET_H */
