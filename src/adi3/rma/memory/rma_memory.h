/* rma_memory.h — what the processes of a window on one node share, and how each is reached: the
 * face of memory to the rooms of one-sided communication above it.
 *
 * They share a memory (memory.c): a control block for each, and of windows that the library
 * allocates the memory of the window itself. A target is reached in one of the ways of enum
 * rma_path. */
#ifndef RMA_MEMORY_H
#define RMA_MEMORY_H

#include "adi3/adi3_rma.h"
#include "adi3/progress/progress.h"

/* The lock of one process's window, in the order of arrival: a ticket each (lock.c). */
struct rma_lock {
    _Atomic uint32_t users;       /* the next ticket */
    _Atomic uint32_t write, read; /* the ticket of the writer, and of the reader, that is next */
    _Atomic uint32_t inside;      /* a writer, or how many readers that have no ticket */
};

enum { RMA_STRIPES = 64 };
#define RMA_IN_ALLOC_REGION UINT64_MAX

/* Of one process of the window. */
struct rma_control {
    OS_ALIGNED int32_t rank; /* in the window; this line is constant once the window is open */
    int32_t local, pid;      /* its index in the node, its process id */
    int32_t disp_unit;
    uint64_t base, size; /* its memory, at its own addresses */
    uint64_t offset;     /* the offset of that memory in the shared memory; 0: it is private;
                          * RMA_IN_ALLOC_REGION: it is in a region, which all of this node have
                          * mapped */
    uint64_t job;        /* the id of its job */
    uint32_t forced;     /* the path that its user wants: see rma_forced_path() */
    OS_ALIGNED struct rma_lock lock; /* of its window */
    /* Written by this process alone. */
    OS_ALIGNED _Atomic uint32_t busy; /* with atomic operations on one element: see atomic.h */
    _Atomic uint32_t tickets;         /* locks that the process holds or awaits, of any target */
    _Atomic uint64_t waits;           /* the lock that the process waits for: see lock.c; 0: none */
    _Atomic uint64_t holds;           /* stripes that it has or is about to take, ... */
    _Atomic uint32_t holds_of;        /* ... of the process with this index: see atomic.c */
    /* The memory attached to a dynamic window, read by other processes: see dynamic.c. */
    _Atomic uint32_t version;       /* odd: it is changing the list */
    _Atomic uint64_t regions, list; /* how many, and the address of the list */
    /* For atomic operations on its memory, by all. */
    OS_ALIGNED _Atomic uint32_t longs;   /* which operations may begin: see atomic.h */
    OS_ALIGNED _Atomic uint64_t stripes; /* locks: a bit is set while a process has that stripe */
};

struct rma_view { /* of the memory of one process that is in a region: alloc_region.c */
    struct rma_alloc_region *region; /* NULL: it is not */
    char *at;                        /* where the memory is here */
};

/* What the others have said to one process by MPI_Win_post and MPI_Win_complete: counts modulo 256,
 * as none says the same twice before the process has seen it. Up to RMA_SIGNALS_MOST processes have
 * the place of their index; where there are more, each takes one, in turn, before it first says
 * something: see signal.c. */
struct rma_signals {
    OS_ALIGNED _Atomic uint32_t awaits; /* index + 1 of the process whose signal it waits for; 0:
                                         * none; or RMA_AWAITS_SEVERAL. Written by it alone */
    struct rma_signal {
        _Atomic uint8_t posts, completes;
        _Atomic uint16_t of; /* index + 1 of the process that has taken the place */
    } by[];
};
enum { RMA_SIGNALS_MOST = 64 };
enum { RMA_AWAITS_SEVERAL = UINT16_MAX + 1 };

struct rma_memory {              /* as this process sees it */
    struct node_share share;     /* at NULL: this process is alone, and its control is not shared */
    struct rma_control *control; /* by index, in the order of ranks */
    int count, me;               /* how many; the index of this process */
    size_t own, own_len;         /* where the memory of this process is in the shared memory */
    uint64_t file;               /* the number of the shared memory: struct adi3_win_share */
    bool made;                   /* by this process: only the leader of a window may have */
    bool gaps;                   /* some of it is never used */
    bool reserved;               /* all of it, by all processes, or promised to them */
    struct rma_view *views;      /* by index; NULL: the memory of no process is in a region */
};

/* The memory of a process of this node where it is here; NULL: it is private. */
static inline char *rma_mapped(const struct rma_memory *m, const struct rma_control *c)
{
    if (c->offset == RMA_IN_ALLOC_REGION)
        return m->views[c - m->control].at;
    return c->offset ? (char *) m->share.at + c->offset : NULL;
}

/* Bytes of the signals to one of so many processes. */
static inline size_t rma_signals_len(int count)
{
    int places = count < RMA_SIGNALS_MOST ? count : RMA_SIGNALS_MOST;
    size_t len = offsetof(struct rma_signals, by) + (size_t) places * sizeof(struct rma_signal);

    return (len + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

enum { RMA_PAGE = 4096 };

/* Bytes of the control blocks and signals of so many processes: whole pages. */
static inline size_t rma_controls_len(int count)
{
    size_t len = (size_t) count * (sizeof(struct rma_control) + rma_signals_len(count));

    return (len + RMA_PAGE - 1) & ~(size_t) (RMA_PAGE - 1);
}

/* They are behind the control blocks. */
static inline struct rma_signals *rma_signals_to(const struct rma_memory *m, int index)
{
    char *first = (char *) (m->control + m->count);

    return (struct rma_signals *) (first + (size_t) index * rma_signals_len(m->count));
}

struct rma_control *rma_control_of(const struct adi3_win *w, int rank); /* NULL: another node */
void rma_memory_opened(struct adi3_win *w); /* all processes have joined, or will not */
void rma_memory_free(struct adi3_win *w);
void rma_cache_drop(void); /* the memory that is kept for the next window: memory_cache.c */

/* ---- waiting (wait_word.c) ------------------------------------------------------------------- */

/* Waits while a word has this value, which the process with this index will change. Errors: it has
 * died. */
int rma_wait_word(const struct rma_memory *m, const _Atomic uint32_t *word, uint32_t value,
                  uint32_t index);
/* Waits while a process has a stripe of the owner; stripe has one bit. Errors: it has died. */
int rma_wait_stripe(const struct rma_memory *m, const struct rma_control *owner, uint64_t stripe);
/* Makes an MPI error of a negative errno of os_cma_*(). */
int rma_cma_error(const struct rma_control *c, int err);

/* ---- how targets are reached (forced_path.c) ------------------------------------------------- */

enum rma_path {
    RMA_DIRECT,   /* loads and stores: its memory is mapped here */
    RMA_CMA,      /* the kernel copies; it is on this node */
    RMA_MESSAGES, /* packets, with which it does the operation itself */
};

/* The fewest bytes of a put or get that the device does; SIZE_MAX: none. */
extern size_t rma_device_least;
uint32_t rma_forced_path(void); /* by STARLING_RMA: 1 + enum rma_path; 0: auto */

/* ---- settings -------------------------------------------------------------------------------- */

extern const char *rma_path_setting, *alloc_region_setting;
extern bool huge_setting;
int rma_check_setting(void), alloc_region_init(void), rma_cache_init(void);

#endif /* RMA_MEMORY_H */
