/* rma_impl.h — shared between the files of src/adi3/rma, and no others.
 *
 * The processes of a window that share a node share a memory (memory.c): a control block for each,
 * and of windows that the library allocates the memory of the window itself. A target is reached in
 * one of the ways of enum rma_path. */
#ifndef RMA_IMPL_H
#define RMA_IMPL_H

#include "comm.h"
#include "p2p.h"
#include "rma.h"

/* ---- what the processes of a node share (memory.c) ------------------------------------------- */

/* The lock of one process's window, in the order of arrival: a ticket each (lock.c). */
struct rma_lock {
    _Atomic uint32_t users;       /* the next ticket */
    _Atomic uint32_t write, read; /* the ticket of the writer, and of the reader, that is next */
    _Atomic uint32_t inside;      /* a writer, or how many readers that have no ticket */
};

enum { RMA_STRIPES = 64 };
#define RMA_IN_AREA UINT64_MAX

/* Of one process of the window. */
struct rma_control {
    OS_ALIGNED int32_t rank; /* in the window; this line is constant once the window is open */
    int32_t local, pid;      /* its index in the node, its process id */
    int32_t disp_unit;
    uint64_t base, size; /* its memory, at its own addresses */
    uint64_t part;       /* the offset of that memory in the shared memory; 0: it is private;
                          * RMA_IN_AREA: it is in an area, which all of this node have mapped */
    uint64_t job;        /* the id of its job */
    uint32_t forced;     /* the path that its user wants: see rma_forced_path() */
    OS_ALIGNED struct rma_lock lock; /* of its window */
    /* Written by this process alone. */
    OS_ALIGNED _Atomic uint32_t busy; /* with atomic operations on one element: see atomic.h */
    _Atomic uint32_t tickets;         /* locks that it holds or waits for, of all targets */
    _Atomic uint64_t waits;           /* the lock that it waits for: see lock.c; 0: none */
    /* What it has attached to a dynamic window, for others to read: see dynamic.c. */
    _Atomic uint32_t version;       /* odd: it is changing the list */
    _Atomic uint64_t regions, list; /* how many, and the address of the list */
    /* For atomic operations on its memory, by all. */
    OS_ALIGNED _Atomic uint32_t longs;               /* which operations may begin: see atomic.h */
    OS_ALIGNED _Atomic uint32_t stripe[RMA_STRIPES]; /* locks: index + 1 of the holder; or 0 */
};

struct rma_view {          /* of the memory of one process that is in an area: area.c */
    struct rma_area *area; /* NULL: it is not */
    char *at;              /* where the memory is here */
};

/* What the others have said to one process by MPI_Win_post and MPI_Win_complete: counts modulo 256,
 * as none says the same twice before the process has taken note. */
struct rma_signals {
    OS_ALIGNED _Atomic uint32_t awaits; /* index + 1 of the process whose signal it waits for; 0:
                                         * none; or RMA_AWAITS_SEVERAL. Written by it alone */
    struct rma_signal {
        _Atomic uint8_t posts, completes;
    } by[]; /* by index of the process that says so */
};
enum { RMA_AWAITS_SEVERAL = UINT16_MAX + 1 };

struct rma_memory {              /* as this process sees it */
    struct node_share share;     /* at NULL: this process is alone, and its control is not shared */
    struct rma_control *control; /* by index, in the order of ranks */
    int count, me;               /* how many; the index of this process */
    uint64_t file;               /* the number of the shared memory: struct adi3_win_share */
    bool made;                   /* by this process: only the leader of a window may have */
    bool gaps;                   /* some of it is never used */
    bool reserved;               /* all of it, by all processes */
    struct rma_view *views;      /* by index; NULL: the memory of no process is in an area */
};

/* The memory of a process of this node where it is here; NULL: it is private. */
static inline char *rma_mapped(const struct rma_memory *m, const struct rma_control *c)
{
    if (c->part == RMA_IN_AREA)
        return m->views[c - m->control].at;
    return c->part ? (char *) m->share.at + c->part : NULL;
}

/* Bytes of the signals to one of so many processes. */
static inline size_t rma_signals_len(int count)
{
    size_t len = offsetof(struct rma_signals, by) + (size_t) count * sizeof(struct rma_signal);

    return (len + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

/* They are behind the control blocks. */
static inline struct rma_signals *rma_signals_to(const struct rma_memory *m, int index)
{
    char *first = (char *) (m->control + m->count);

    return (struct rma_signals *) (first + (size_t) index * rma_signals_len(m->count));
}

int rma_memory_leader(const struct adi3_win *w); /* the lowest rank that shares memory with this */
struct rma_control *rma_control_of(const struct adi3_win *w, int rank); /* NULL: another node */
void rma_memory_opened(struct adi3_win *w); /* all processes have joined, or will not */
void rma_memory_free(struct adi3_win *w);

/* ---- waiting (wait_word.c) ------------------------------------------------------------------- */

/* Waits while a word has this value, which the process with this index will change. Errors: it has
 * died. */
int rma_wait_word(const struct rma_memory *m, const _Atomic uint32_t *word, uint32_t value,
                  uint32_t index);
/* Makes an MPI error of a negative errno of os_cma_*(). */
int rma_cma_error(const struct rma_control *c, int err);

/* ---- memory of the last window (spare.c) ----------------------------------------------------- */

enum { RMA_SPARE_MOST = 256 << 10 }; /* bytes: of larger ones the time goes into zeros */

/* Takes what is kept if this process has made it with this length, as zeros. For the leader of a
 * new window. */
bool rma_spare_take(struct rma_memory *m, size_t len);
/* Takes it if it is what the leader offers. */
bool rma_spare_find(struct rma_memory *m, const struct adi3_win_share *s);
/* Keeps the memory of a window that all processes have freed, or frees it. */
void rma_spare_put(struct rma_memory *m);
void rma_spare_drop(void);

/* ---- areas (area.c) -------------------------------------------------------------------------- */

extern const char *area_setting;
extern bool huge_setting;
/* Maps it at a multiple of align, and of huge pages if it shall have some, before anything is
 * written there. Errors: MPI_ERR_NO_MEM. */
int rma_share_place(struct node_share *s, size_t align);
/* node_share_reserve(), in huge pages if it shall have some. */
int rma_share_reserve(struct node_share *s, size_t at, size_t len);
int area_init(void);
/* The area of this process that has all of this memory, and how others find it; or NULL. */
struct rma_area *rma_area_of(const void *base, size_t size, struct adi3_win_offer *offer);
int rma_area_open_door(struct rma_area *a, struct adi3_win_offer *offer);
/* Opens and maps what process `rank` of the window offers: s, in o. Errors: ADI3_WIN_HIDDEN,
 * MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int rma_share_open(const struct adi3_win_offer *o, const struct adi3_win_share *s, int rank,
                   struct node_share *mapped);
/* The view of the memory that o offers. The area stays until rma_area_release(). Errors: as
 * rma_share_open(). */
int rma_area_map(const struct adi3_win_offer *o, int rank, struct rma_view *view);
void rma_area_release(struct rma_area *a);

/* ---- how targets are reached (forced_path.c) ------------------------------------------------- */

enum rma_path {
    RMA_DIRECT,   /* loads and stores: its memory is mapped here */
    RMA_CMA,      /* the kernel copies; it is on this node */
    RMA_MESSAGES, /* packets, with which it does the operation itself */
};

extern const char *rma_path_setting;
int rma_check_setting(void);
/* The fewest bytes of a put or get that the device does; SIZE_MAX: none. */
extern size_t rma_device_least;
uint32_t rma_forced_path(void); /* by STARLING_RMA: 1 + enum rma_path; 0: auto */

/* ---- targets (target.c) ---------------------------------------------------------------------- */

/* How its memory may be accessed: RMA_POSTED after its MPI_Win_post, others by its lock. */
enum rma_held { RMA_NOT_HELD, RMA_SHARED, RMA_EXCLUSIVE, RMA_JOINED, RMA_NOCHECK, RMA_POSTED };

/* What a note carries: see enum rma_note. */
struct rma_note_fields {
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
enum rma_awaits { RMA_BY_NOTHING, RMA_BY_NOTE, RMA_BY_DATA, RMA_DENIED };

enum rma_key_state { RMA_KEY_UNKNOWN, RMA_KEY_ASKED, RMA_KEY_KNOWN, RMA_KEY_NONE };

struct rma_target { /* one process of the window that this one has touched */
    struct adi3_rma_quick quick;
    struct rma_control *control; /* NULL: it is on another node */
    int rank;
    uint8_t path; /* enum rma_path */
    bool started; /* it is in the group of MPI_Win_start */
    bool taken;   /* a thread is taking its lock */
    /* Of MPI_Win_post and _complete: those that it has said by notes less those that have been
     * waited for, ... */
    int posts, completes;
    /* ... and in shared memory: the signals to it (NULL: another node), those from it to this
     * process, and how many this process has given and taken. */
    struct rma_signals *signals;
    const struct rma_signal *from;
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
    bool packet_held;    /* a small operation that is not sent yet: held.c */
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
    struct rma_note_fields failed; /* the first error, for its next flush; errclass 0: none */
};

bool rma_needs_help(struct adi3_win *w);               /* some targets are reached by messages */
int rma_no_target(const struct adi3_win *w, int rank); /* the error without memory */
/* The target of this rank, made when it is first touched. NULL without memory. */
struct rma_target *rma_target(struct adi3_win *w, int rank);
/* The next target that has been touched, in the order of ranks, from *rank on; NULL: no more. */
struct rma_target *rma_next_target(const struct adi3_win *w, int *rank);
/* Whether operations of w are with a device, or are arriving, or will be sent in the next poll. */
bool rma_is_busy(const struct adi3_win *w);
/* Waits for a packet from a process of w: one turn. Errors: it is lost. */
int rma_wait_turn(struct adi3_win *w, struct adi3_wait *wait, int rank);
struct rma_target ***rma_targets_new(int size); /* for so many processes: none; or NULL */
void rma_targets_free(struct adi3_win *w);
/* The window that packets name by the context id of its communicator; NULL: there is none. */
struct adi3_win *rma_win_of(uint32_t ctx);
/* Names a window and a target for texts: "rank 3 of window 'halo'"; rank -1: the window alone.
 * Returns text. */
enum { RMA_TITLE = MPI_MAX_OBJECT_NAME + 64 };
const char *rma_title(const struct adi3_win *w, int rank, char text[RMA_TITLE]);

/* ---- epochs (epoch.c) ------------------------------------------------------------------------ */

/* MPI_ERR_RMA_SYNC of a call for a target, or for the window (rank -1), for this reason. */
int rma_wrong(const struct adi3_win *w, int rank, const char *why);
/* Whether w may access t now. Takes the lock of a target under MPI_Win_lock_all at its first use,
 * and waits for MPI_Win_post. Errors: MPI_ERR_RMA_SYNC, whose text says what is missing. */
int rma_access(struct adi3_win *w, struct rma_target *t);

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
void rma_hooks_window_free(struct adi3_win *w);
void rma_hooks_target_free(struct rma_target *t);

/* ---- ranges (range.c) ------------------------------------------------------------------------ */

/* Whether what x names at the target is in the memory of a process of rank `rank`; sets its offset
 * there. Errors: MPI_ERR_RMA_RANGE. */
int rma_range(const struct adi3_win *w, int rank, const struct adi3_rma *x, int disp_unit,
              uint64_t size, MPI_Aint *offset);
/* The bytes that count elements take in memory: the first and the one behind the last, from the
 * address of the buffer. False: more than an address can have. */
bool rma_span(const struct adi3_type *t, size_t count, MPI_Aint *low, MPI_Aint *high);

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
void regions_free(struct rma_regions **r);
/* Whether some of these bytes are in both, or attached. */
bool rma_ranges_meet(uintptr_t a, size_t a_len, uintptr_t b, size_t b_len);
bool rma_regions_meet(const struct rma_regions *r, uintptr_t at, size_t size);

/* ---- post, start, complete, wait (pscw.c, signal.c) ------------------------------------------ */

int pscw_await_post(struct adi3_win *w, struct rma_target *t);
extern const struct rma_hooks rma_pscw_hooks;

enum rma_said { RMA_SAID_POST, RMA_SAID_COMPLETE };

/* Says so in shared memory to a process of this node, and wakes it if it sleeps until then. */
void rma_signal(struct adi3_win *w, struct rma_target *t, enum rma_said what);
/* Whether t has said so, in shared memory or by a note, and this process has not taken it. */
bool rma_has_signal(const struct rma_target *t, enum rma_said what);
void rma_take_signal(struct rma_target *t, enum rma_said what);
/* Waits for it. Errors: t is lost. */
int rma_await_signal(struct adi3_win *w, const struct rma_target *t, enum rma_said what);
int rma_signal_init(void);
extern const struct rma_hooks rma_signal_hooks;

/* ---- operations in memory (direct.c, cma.c) -------------------------------------------------- */

/* The data that x names in the memory of t, which is at `base` here or in its process.
 * Errors: MPI_ERR_RMA_RANGE. */
int rma_target_data(const struct adi3_win *w, const struct rma_target *t, const struct adi3_rma *x,
                    char *base, struct adi3_data *d);
/* The same for the memory of this process, which may be a dynamic window's. */
int rma_local_data(const struct adi3_win *w, const struct rma_target *own, const struct adi3_rma *x,
                   struct adi3_data *d);
int rma_direct(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x);
int rma_cma(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x);
/* An accumulate operation of any kind on such data. */
struct rma_place;
int rma_combine(const struct rma_place *p, const struct adi3_data *target,
                const struct adi3_rma *x);

/* ---- atomic operations on memory (atomic.c, accumulate.c) ------------------------------------ */

/* The memory of a process of this node, for atomic operations on it by this process. */
struct rma_place {
    const struct rma_memory *memory;
    struct rma_control *owner;
    bool here; /* addresses are those of this process; false: of its owner, by CMA */
};

struct rma_packed {     /* packed elements: */
    size_t at, len;     /* where they are in those of the target, and how many, in packed bytes */
    const void *packed; /* may be NULL for MPI_NO_OP */
    void *fetched;      /* NULL, or where those of the target go as they were before */
};

/* Combines packed elements with those of `target`, whose basic type must not be NULL, and of whose
 * size x->at and x->len are multiples. Each element is one atomic operation among all calls of this
 * and of rma_compare_swap() in all processes of the node. op: one that adi3_op_accumulates().
 * Errors: MPI_ERR_OTHER when a process has died in the middle of such a call, or CMA fails. */
int rma_accumulate(const struct rma_place *p, const struct adi3_data *target,
                   const struct rma_packed *x, const struct adi3_op *op);
/* Sets *result to the element at `at`, and the element to *origin if it was equal to *compare. t is
 * a predefined type of 1 to 16 bytes. */
int rma_compare_swap(const struct rma_place *p, void *at, const struct adi3_type *t,
                     const void *origin, const void *compare, void *result);

/* ---- waking ---------------------------------------------------------------------------------- */

/* Between a store that ends the wait of another process of the node and a look at its sleep word;
 * the sleeper's membarrier orders the two. */
static inline void rma_order(void)
{
    if (__builtin_expect(adi3_node.fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

void rma_wake(const struct adi3_win *w, int index); /* if it sleeps: lock.c */

/* Accumulates by CMA (batch.c). Adds one whose data at the target is `there` to the batch of t if
 * it is small and has no result; else those before it are done. Errors: as of rma_batch_run(). */
int rma_batch_add(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  const struct adi3_data *there, bool *added);
/* Does what is in the batch. Errors: MPI_ERR_OTHER as of rma_accumulate(), and what is left of the
 * batch is lost. */
int rma_batch_run(const struct adi3_win *w, struct rma_target *t);
extern const struct rma_hooks rma_batch_hooks;

/* ---- locks (lock.c, lock_wait.c, passive.c) -------------------------------------------------- */

/* How a lock is taken; also the value of RMA_NOTE_LOCK. A reader that has another lock of the
 * window already joins: it passes writers that wait. */
enum rma_kind { RMA_READS, RMA_WRITES, RMA_JOINS };

uint32_t rma_lock_take(struct rma_lock *l); /* takes a ticket; not for RMA_JOINS */
/* Whether it is the turn of this ticket, which then has the lock, and must not ask again. */
bool rma_lock_served(const struct adi3_win *w, struct rma_lock *l, uint32_t ticket,
                     enum rma_kind kind);
/* Gives the lock up and wakes those of this node that may be next. */
void rma_lock_release(const struct adi3_win *w, struct rma_lock *l, enum rma_kind kind);
/* What a process writes to its `waits` to be woken for this ticket, or whenever a lock of the
 * window is given up. */
uint64_t rma_lock_waits(const struct adi3_win *w, const struct rma_lock *l, uint32_t ticket,
                        enum rma_kind kind);
enum { RMA_LOCK_ANY = -1 };
/* The index of a process that has ended with a lock, or waiting for one; -1: there is none. */
int rma_lock_dead(const struct adi3_win *w);

/* Takes the lock of a process of this node and waits for it. Errors: a process has died. */
int rma_lock_wait(struct adi3_win *w, struct rma_control *owner, enum rma_kind kind);
void rma_lock_drop(struct adi3_win *w, struct rma_control *owner, enum rma_kind kind);
/* The lock of a process of another node (far_lock.c). It is due after this; with several threads it
 * is asked for and waited for. */
int far_lock(struct adi3_win *w, struct rma_target *t, enum rma_kind kind);
/* Asks for what is due, in any window, and waits; an error is told by the next flush. */
void far_lock_settle(void);
bool far_lock_drop(struct rma_target *t); /* the lock is given up; true: it was never asked for */
/* The lock of t, whatever its path. Waits until it is held, or given up and all is flushed. */
int rma_hold(struct adi3_win *w, struct rma_target *t, bool exclusive);
int rma_give_up(struct adi3_win *w, struct rma_target *t);

/* ---- messages (message.c at the origin, serve.c at the target, type.c) ----------------------- */

/* Packets without payload, by kind in the tag. */
enum rma_note {
    RMA_NOTE_FLUSH = 1, /* number: answer when all operations before it are done */
    RMA_NOTE_FLUSHED,   /* number, the first error: class, displacement, size */
    RMA_NOTE_LOCK,      /* enum rma_kind */
    RMA_NOTE_LOCKED,    /* error class: the lock will not come */
    RMA_NOTE_UNLOCK,    /* number: a flush, too; answered by FLUSHED */
    RMA_NOTE_POST,
    RMA_NOTE_COMPLETE, /* when all operations before it are done */
    RMA_NOTE_KEY,      /* asks for RMA_NOTE_KEYED */
    RMA_NOTE_KEYED,    /* struct rma_key */
    RMA_NOTE_SPARE,    /* this one and the next: for tests */
    RMA_NOTES = RMA_NOTE_SPARE + 2
};

/* What is done when a note of a kind has come. */
struct rma_note_row {
    const char *name;
    /* Whether t may send it now: else its packet is refused. NULL: it may. */
    bool (*may_come)(const struct rma_target *t, const struct rma_note_fields *f);
    /* All operations of t before the note are done. An error: the note cannot be right, and t is
     * lost. */
    int (*come)(struct adi3_win *w, struct rma_target *t, const struct rma_note_fields *f);
};

/* Adds a row; does nothing when the row is there already.
 * Errors: MPI_ERR_INTERN when another row has this number or this name. */
int rma_note_add(enum rma_note note, const struct rma_note_row *row);

/* Starts an operation by messages. r: NULL, or the request that is done with it. */
int rma_send(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
             MPI_Request *request);
/* Waits until the memory of all operations with t is free (local), or until t has done them, too.
 * Returns an error that t has reported, or of its loss. */
int rma_flush_local(struct adi3_win *w, struct rma_target *t);
int rma_flush(struct adi3_win *w, struct rma_target *t);
/* Waits until the device has done its operations with t. */
void rma_device_wait(struct adi3_win *w, const struct rma_target *t);
/* The steps of a flush. To ask waits for nothing: so the flushes of many targets need one round
 * trip together. After its error rma_flush() asks again. */
int rma_ask_flush(struct adi3_win *w, struct rma_target *t);
int rma_await_answer(struct adi3_win *w, const struct rma_target *t, const char *what);
/* Sends a note. Returns an MPI error when the target is lost. */
int rma_note(struct adi3_win *w, int rank, enum rma_note note,
             const struct rma_note_fields *fields);

extern const struct rma_hooks rma_message_hooks;

#endif /* RMA_IMPL_H */
