/* adi3_rma.h — one-sided communication: windows, operations on their memory, and synchronization
 * (chapter 11).
 *
 * For src/mpi/rma. Arguments have been checked, epochs and ranges are checked here; the caller
 * holds the lock. MPICH's MPIR_Win with MPID_Put and the like. */
#ifndef ADI3_RMA_H
#define ADI3_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_op.h"
#include "adi3/adi3_request.h"

/* ---- windows (window.c) ---------------------------------------------------------------------- */

enum adi3_win_info { /* what the user asserts of a window by info keys (§11.2.1) */
                     ADI3_WIN_NO_LOCKS = 1,
                     ADI3_WIN_SAME_SIZE = 2,
                     ADI3_WIN_SAME_DISP_UNIT = 4,
                     ADI3_WIN_SAME_OP = 8,    /* accumulate_ops is same_op, not same_op_no_op */
                     ADI3_WIN_NONCONTIG = 16, /* alloc_shared_noncontig */
                     ADI3_WIN_RAR = 32,       /* accumulate_ordering: these orders are kept */
                     ADI3_WIN_RAW = 64,
                     ADI3_WIN_WAR = 128,
                     ADI3_WIN_WAW = 256,
                     ADI3_WIN_ORDERED = 480, /* all four: the default */
};

/* Allocated memory begins at a page, of which this is the smallest; or at what the user asks for by
 * mpi_minimum_memory_alignment, up to the larger. */
enum { ADI3_WIN_ALIGN = 4096, ADI3_WIN_ALIGN_MOST = 1 << 30 };

/* The kind of epoch: for access by this process, or exposure of its memory. */
enum adi3_epoch {
    ADI3_EPOCH_NONE,
    ADI3_EPOCH_FENCE, /* after MPI_Win_fence: all targets */
    ADI3_EPOCH_START, /* those in the group of MPI_Win_start */
    ADI3_EPOCH_LOCK,  /* those that MPI_Win_lock has locked */
    ADI3_EPOCH_ALL,   /* after MPI_Win_lock_all */
    ADI3_EPOCH_POST,  /* the group of MPI_Win_post may access this process */
};

/* The first part of how a process of a window is reached, struct rma_target: what the fast path
 * needs. */
struct adi3_rma_quick {
    char *base;     /* its memory, mapped here; NULL: it is not */
    uint64_t size;  /* of its memory; UINT64_MAX: not known here, it checks itself */
    uint64_t room;  /* the same if loads and stores at `base` reach it; else 0 */
    int disp_unit;  /* 0: not known here, displacements are sent as they are */
    uint8_t access; /* enum rma_access; 0: it may not be accessed without further checks */
};

struct rma_target;
enum { ADI3_RMA_CHUNK = 64 };

struct adi3_win {
    MPI_Win handle;
    int flavor; /* MPI_WIN_FLAVOR_CREATE, ... */
    int model;  /* MPI_WIN_UNIFIED */
    int disp_unit;
    void *base; /* of this process's memory: also the value of the attribute MPI_WIN_BASE */
    MPI_Aint size;
    struct adi3_comm *comm;   /* of its own. It carries the error handler, the attributes and the
                             * name; its owner is `handle` */
    unsigned infos;           /* enum adi3_win_info */
    unsigned broken;          /* infos that cannot be true of this window: ignored */
    size_t align;             /* of allocated memory, which begins at a multiple: a power of two */
    uint8_t access, exposure; /* enum adi3_epoch */
    bool fence_used;          /* the fence epoch has had an operation or is needed by peers */
    bool served;              /* while the program computes: async_need() */
    bool polls;               /* some processes need the help of their targets: flushes poll */
    bool defers;              /* some of the targets touched are not reached by loads and stores */
    bool overlaps;            /* that has been told: overlap.c */
    bool locks_told;          /* the same of locks with no_locks: hints.c */
    bool yields;              /* the node has more processes than cores: adi3_win_polled() */
    int locked;               /* targets locked by MPI_Win_lock */
    bool left;                /* by adi3_win_leave(): the user has no handle of it */
    bool unchecked;           /* MPI_Win_lock_all with MPI_MODE_NOCHECK: no locks are taken */
    struct rma_target ***targets;      /* of those touched, by rank: chunks of pointers or NULL */
    struct rma_memory *memory;         /* what the processes of this node share; NULL: nothing */
    struct rma_pscw *pscw;             /* groups and counts of post, start, complete, wait */
    struct rma_regions *regions;       /* of a dynamic window: what is attached here */
    struct rma_registered *registered; /* its memory with devices: device.c */
    struct adi3_proc *awaited;         /* by a call, since watch_targets.c has looked; or NULL */
    struct adi3_win *next;             /* of all windows */
};

extern struct adi3_pool adi3_wins;

/* What each process contributes to a new window; gathered by src/mpi by rank. */
struct adi3_win_member {
    uint64_t size; /* of its memory */
    int32_t disp_unit;
    int32_t failed;            /* it cannot take part: an error class, or MPI_SUCCESS */
    uint32_t infos, in_region; /* 1: see struct adi3_win_region */
    uint64_t align;
};

/* Memory that a process exposes to the other processes of the node. */
struct adi3_win_share {
    uint64_t len;          /* 0: there is none */
    uint64_t file;         /* os_open_of(): with pid and fd */
    uint64_t share_socket; /* of the process, where it has `number`; 0: that is not open */
    uint64_t number;
    int32_t pid, fd;
};

/* How a node's shared memory is found by its processes, from the leader of the node. */
struct adi3_win_exposed {
    struct adi3_win_share share;
    int32_t failed, promised; /* promised 1: no process has to reserve a part of the share */
};

/* The region of MPI_Alloc_mem that the memory of a process is in. */
struct adi3_win_region {
    struct adi3_win_share share;
    uint64_t at; /* where in the region its memory begins */
};

/* A window is made in steps, between which src/mpi gathers what they return: one record of each
 * process at a time, so that making a window takes no more than the largest. */
enum { ADI3_WIN_RECORD = 48 };
_Static_assert(sizeof(struct adi3_win_member) <= ADI3_WIN_RECORD
                   && sizeof(struct adi3_win_exposed) <= ADI3_WIN_RECORD
                   && sizeof(struct adi3_win_region) <= ADI3_WIN_RECORD,
               "jobs may have a million processes");

/* c is a communicator that becomes the window's, also on error of a later step. */
int adi3_win_new(struct adi3_comm *c, struct adi3_win **made);
bool adi3_win_in_region(const struct adi3_win *w); /* whether this process has one to expose */
/* members: what all processes contribute, by rank. The leader of a node makes the memory that the
 * node shares. */
void adi3_win_expose(struct adi3_win *w, const struct adi3_win_member *members,
                     struct adi3_win_exposed *exposed);
/* Called after ADI3_WIN_HIDDEN in some process: opens the share socket, if this process exposes
 * memory, and sets the numbers in `exposed`. */
void adi3_win_open_socket(struct adi3_win *w, struct adi3_win_exposed *exposed);
/* Of what all expose: maps what this node shares. ADI3_WIN_HIDDEN: it can only be asked for at a
 * share socket, which is not open. */
enum { ADI3_WIN_HIDDEN = -1 };
int adi3_win_map(struct adi3_win *w, const struct adi3_win_exposed *exposed);
/* If any process is in a region: exposes that of this process, at the share socket, too, if
 * by_socket; and maps those of this node. Errors: as adi3_win_map(). */
int adi3_win_expose_region(struct adi3_win *w, bool by_socket, struct adi3_win_region *region);
int adi3_win_map_regions(struct adi3_win *w, const struct adi3_win_region *regions);
/* Reserves this process's part of what is mapped, and says there what its memory is. */
int adi3_win_join(struct adi3_win *w);
/* All processes have joined, or will not (failed). Packets for the window may come from now on. */
void adi3_win_open(struct adi3_win *w);
void adi3_win_set_infos(struct adi3_win *w, unsigned infos); /* of an open window: hints.c */
void adi3_win_free(struct adi3_win *w);                      /* and its memory */
/* The same when the other processes have not come: they may still be in epochs with this one. It
 * goes on to answer them until MPI_Finalize, as a window without memory. */
void adi3_win_leave(struct adi3_win *w);
struct adi3_win *adi3_win_get(MPI_Win handle); /* NULL: names no window */

/* Errors: MPI_ERR_RMA_SYNC when an epoch is open. */
int adi3_win_freeable(const struct adi3_win *w);
/* The memory of a process of a shared window in this process (§11.2.3); rank MPI_PROC_NULL: the
 * lowest rank with memory. Errors: MPI_ERR_RMA_SHARED. */
int adi3_win_shared(struct adi3_win *w, int rank, MPI_Aint *size, int *disp_unit, void **base);

/* Regions (alloc_region.c): memory that is shared with the processes of the node when a window of
 * MPI_Win_create has it. size is not 0; align is a power of two; the memory begins at a page.
 * Errors: MPI_ERR_NO_MEM, MPI_ERR_OTHER. */
int adi3_alloc_region_make(size_t size, size_t align, void **base);
/* base: what adi3_alloc_region_make() gave. Windows keep the memory until they end. */
void adi3_alloc_region_free(const void *base);
/* Huge pages (huge.c), with STARLING_HUGE_PAGES=on. The alignment that memory of so many bytes then
 * has; 1: it is too small, or gets none. */
size_t adi3_huge_align(size_t len);
/* Advises the kernel to use huge pages for new private memory. Says once when there are none. */
void adi3_huge_advise(void *at, size_t len);
extern bool adi3_alloc_mem_shared; /* MPI_Alloc_mem gives regions, if its info does not decide */

/* Dynamic windows (dynamic.c). Errors: MPI_ERR_RMA_ATTACH, MPI_ERR_NO_MEM. */
int adi3_win_attach(struct adi3_win *w, void *base, MPI_Aint size);
int adi3_win_detach(struct adi3_win *w, const void *base);
/* A window whose memory begins in [base, base + size), so that it may not be freed; or NULL. */
const struct adi3_win *adi3_win_in(const void *base, size_t size);

/* ---- operations (operation.c) ---------------------------------------------------------------- */

enum adi3_rma_kind {
    ADI3_PUT,
    ADI3_GET,
    ADI3_ACCUMULATE,
    ADI3_GET_ACCUMULATE, /* also MPI_Fetch_and_op: one element */
    ADI3_COMPARE_AND_SWAP,
};

struct adi3_rma {
    enum adi3_rma_kind kind;
    int target; /* rank, not MPI_PROC_NULL */
    MPI_Aint disp;
    struct adi3_data origin;  /* what is sent; of ADI3_GET what is received */
    struct adi3_data result;  /* where fetched data goes; type NULL: nothing is fetched */
    size_t count;             /* at the target, ... */
    struct adi3_type *type;   /* ... of this type */
    const struct adi3_op *op; /* a predefined one, MPI_REPLACE or MPI_NO_OP */
    const void *compare;
};

/* Does an operation or starts it. request: NULL, or where its request goes (MPI_Rput and the like).
 * Errors: MPI_ERR_RMA_SYNC, MPI_ERR_RMA_RANGE, MPI_ERR_TYPE, MPI_ERR_OP, MPI_ERR_NO_MEM. */
int adi3_rma(struct adi3_win *w, const struct adi3_rma *x, MPI_Request *request);

/* A target that has been touched; else NULL. */
static inline struct rma_target *adi3_rma_touched(const struct adi3_win *w, int target)
{
    struct rma_target **chunk;

    if ((unsigned) target >= (unsigned) w->comm->size
        || !(chunk = w->targets[(unsigned) target / ADI3_RMA_CHUNK]))
        return NULL;
    return chunk[(unsigned) target % ADI3_RMA_CHUNK];
}

/* The common MPI_Put or MPI_Get: contiguous bytes, a target whose memory is mapped here. Returns
 * the memory at the target for len bytes; NULL: it is not this case, adi3_rma() decides. An epoch
 * may have to wait at its first operation: then that goes the other way, too. checks: whether the
 * bytes may be outside of that memory, or that memory not mapped. */
static inline char *adi3_rma_place(struct adi3_win *w, const struct adi3_rma_quick *t,
                                   MPI_Aint disp, size_t len, bool checks)
{
    uint64_t at = (uint64_t) disp * (uint64_t) t->disp_unit;

    if (!t->access) {
        if (w->access != ADI3_EPOCH_FENCE)
            return NULL;
        w->fence_used = true;
    }
    /* A negative displacement is a large one here. */
    if (checks
        && (__builtin_mul_overflow((uint64_t) disp, (uint64_t) t->disp_unit, &at) || at > t->room
            || len > t->room - at))
        return NULL;
    return t->base + at;
}

static inline char *adi3_rma_direct(struct adi3_win *w, int target, MPI_Aint disp, size_t len)
{
    const struct adi3_rma_quick *t = (const void *) adi3_rma_touched(w, target);

    return t ? adi3_rma_place(w, t, disp, len, true) : NULL;
}

/* Takes the lock that the first operation with a target takes in an epoch of MPI_Win_lock_all, if
 * loads and stores reach the target and it is known from before. True: it is taken, so that what
 * failed without it may be tried again. */
bool adi3_rma_lock_first(struct adi3_win *w, int target);

/* How elements of a predefined type are changed by a predefined operation: n elements at `at`, by
 * those at `in`, any alignment. old: NULL, or where they go as they were. */
typedef void adi3_rma_change(char *at, const char *in, char *old, size_t n,
                             const struct adi3_op *op, const struct adi3_type *type);
struct adi3_rma_how {
    const struct adi3_type *type;
    const struct adi3_op *op;
    adi3_rma_change *change; /* NULL: MPI_Compare_and_swap */
};

struct adi3_rma_element { /* the buffers of an operation on one element */
    const void *origin, *compare;
    void *result; /* NULL: nothing is fetched */
};

/* op must take the type, of 1 to 8 bytes; NULL: MPI_Compare_and_swap. */
struct adi3_rma_how adi3_rma_how(const struct adi3_op *op, const struct adi3_type *type);
/* The common MPI_Accumulate, MPI_Fetch_and_op and MPI_Compare_and_swap of one element: by
 * instructions. False: it is not this case, and nothing is done. */
bool adi3_rma_element(struct adi3_win *w, int target, MPI_Aint disp, const struct adi3_rma_how *how,
                      const struct adi3_rma_element *e);

/* Whether a flush of this target has nothing to wait for. */
static inline bool adi3_win_flushed(const struct adi3_win *w, int target)
{
    return w->access == ADI3_EPOCH_ALL && !w->polls && !w->defers
           && (unsigned) target < (unsigned) w->comm->size;
}

/* Called by what a program may poll with, as a flush in a loop. Where there are more processes than
 * cores, it gives up the core now and then: what the program waits for may need it. */
void adi3_win_give_way(void) __attribute__((cold));
static inline void adi3_win_polled(const struct adi3_win *w)
{
    if (__builtin_expect(w->yields, 0))
        adi3_win_give_way();
}

/* ---- synchronization ------------------------------------------------------------------------- */

/* All collective parts are src/mpi's: it calls _begin, then the barrier, then _end (fence.c). */
int adi3_win_fence_begin(struct adi3_win *w);
void adi3_win_fence_end(struct adi3_win *w, int assertions);

/* pscw.c. Groups are kept until the epoch ends. Errors: MPI_ERR_RMA_SYNC; of start and post
 * MPI_ERR_GROUP when a member is not in the window. */
int adi3_win_start(struct adi3_win *w, struct adi3_group *g, int assertions);
int adi3_win_complete(struct adi3_win *w);
int adi3_win_post(struct adi3_win *w, struct adi3_group *g, int assertions);
int adi3_win_wait(struct adi3_win *w);
int adi3_win_test(struct adi3_win *w, bool *done);

/* passive.c. target is a rank, not MPI_PROC_NULL; -1: all. */
int adi3_win_lock(struct adi3_win *w, int type, int target, int assertions);
int adi3_win_unlock(struct adi3_win *w, int target);
int adi3_win_flush(struct adi3_win *w, int target, bool local);
int adi3_win_sync(struct adi3_win *w);

#endif /* ADI3_RMA_H */
