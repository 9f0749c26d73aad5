/* adi3_base.h — the ground of ADI3: errors, handles, the lock, and communicators and groups as
 * data.
 *
 * Uses src/platform; used by all rooms of ADI3 and by src/mpi. Functions on communicators and
 * groups are in adi3_comm.h. In MPICH these are mpir_err.h, mpir_handlemem.h, the global critical
 * section (MPID_THREAD_CS), and the structs MPIR_Comm and MPIR_Group. */
#ifndef ADI3_BASE_H
#define ADI3_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3/adi3_handle.h"

#pragma GCC visibility push(default) /* libmpi exports the functions that mpi.h declares */
#include "mpi.h"
#pragma GCC visibility pop

struct adi3_proc;   /* a process that can be sent to; also this process */
struct adi3_queues; /* a communicator's posted and unexpected messages */

/* ---- errors ---------------------------------------------------------------------------------- */

/* An error code: the class in the low bits, and above them the number of the saved text. */
enum { ADI3_CLASS_MASK = 0x7f };

/* Makes an error code of the class, and saves its text. */
int adi3_error(int errclass, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
/* The same of MPI_ERR_NO_MEM, with what memory was for: "for a group of %d processes". */
int adi3_no_memory(const char *what, ...) __attribute__((cold, format(printf, 1, 2)));
/* The saved text of a code; NULL when newer texts have replaced it. */
const char *adi3_error_text(int code);
const char *adi3_class_text(int errclass); /* NULL when there is no such class */
const char *adi3_class_name(int errclass); /* "MPI_ERR_RANK"; NULL likewise */

/* Prints a line of warning for the user; set by src/mpi. NULL: warnings are dropped. */
extern void (*adi3_warn)(const char *line);

/* ---- the lock -------------------------------------------------------------------------------- */

/* What each MPI function looks at first. 0: it may go the fast path. */
extern _Atomic uint32_t adi3_state;
enum {
    ADI3_DOWN = 1,    /* before MPI_Init or after MPI_Finalize */
    ADI3_LOCKS = 2,   /* calls take the lock by adi3_lock() */
    ADI3_SERVED = 4,  /* the library's thread is inside: a call waits until it is out */
    ADI3_AWAITED = 8, /* and one may sleep until then */
    ADI3_STATES = 16, /* bits from here on are those of src/mpi */
    ADI3_ANY = 0xff,
};

/* Whether the program is in an MPI function, for the library's thread: adi3_current.inside. See
 * base/lock.c. */
enum { ADI3_INSIDE = 1, ADI3_MOVED = 2 /* since the thread looked */ };

static inline bool adi3_is(uint32_t states)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    return *(const uint32_t *) &adi3_state & states; /* one instruction, not two */
#else
    return atomic_load_explicit(&adi3_state, memory_order_acquire) & states;
#endif
}

static inline void adi3_go_in(void)
{
    atomic_store_explicit(&adi3_current.inside, ADI3_INSIDE | ADI3_MOVED, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* the membarrier() is the thread's */
}

static inline void adi3_go_out(void)
{
    atomic_store_explicit(&adi3_current.inside, ADI3_MOVED, memory_order_release);
}

extern bool adi3_threads; /* several threads may call at once */
extern bool adi3_locks;   /* they may, or a thread of the library runs beside the program */
void adi3_lock(void);
void adi3_unlock(void);
/* For assertions: true when this thread has the lock, or no lock is needed. */
bool adi3_lock_held(void);
/* Begins an unlocked section for work on len bytes, if that may take long. len is SIZE_MAX where
 * code of the user runs. Returns true when the lock was dropped: the caller then calls adi3_lock()
 * after the work. */
bool adi3_unlock_for(size_t len);

/* ---- this process ---------------------------------------------------------------------------- */

const char *adi3_hostname(void);
bool adi3_machine(char *name, size_t len); /* "x86_64"; false: not known, or does not fit */
/* Writes the first len bytes of this program's name and arguments, each with its NUL. Returns how
 * many bytes all of them have; 0 when they are not known. */
size_t adi3_command_line(char *text, size_t len);

/* ---- objects --------------------------------------------------------------------------------- */

struct adi3_group { /* an ordered set of processes; never changes */
    MPI_Group handle;
    int refs;
    int handles;             /* that the user has to free; 0: only other objects refer to it */
    int size, rank;          /* rank of this process, or MPI_UNDEFINED */
    bool others;             /* it has processes of other jobs */
    int first, stride;       /* member i is the process with number first + i * stride, ... */
    int *member;             /* ... or listed here */
    struct adi3_proc **proc; /* the members, once there is a communicator of the group */
    struct adi3_places *at;  /* index of member[] by process; made by the first look-up */
};

/* Whether MPI calls may use a communicator's handle. */
enum adi3_closed {
    ADI3_OPEN,    /* all may */
    ADI3_PENDING, /* only calls that send nothing: its MPI_Comm_idup is not complete */
    ADI3_FREED,   /* none: the program has freed the handle or never had one */
};

enum adi3_hint { /* what the user asserts of a communicator (§6.4.4) */
                 ADI3_NO_ANY_TAG = 1,
                 ADI3_NO_ANY_SOURCE = 2,
                 ADI3_EXACT_LENGTH = 4,
                 ADI3_ALLOW_OVERTAKING = 8,
};

enum { ADI3_FORMS = 3 }; /* of collective calls: see adi3_calls.h */

struct adi3_comm {
    MPI_Comm handle;
    int refs; /* one of the handle, and one of every request under way */
    int rank, size;
    uint32_t recv_ctx, send_ctx;  /* context ids, even; ADI3_COLL uses the next one */
    struct adi3_queues *queue[2]; /* of the two contexts; NULL: not open yet */
    struct adi3_proc **proc;      /* the processes that messages go to, by rank */
    int peers;                    /* how many: size, or the size of the remote group */
    enum adi3_closed closed;
    bool together;                     /* all processes are on one node, ... */
    bool oversubscribed;               /* ... with more of them than cores; the same in all */
    uint8_t hints;                     /* adi3_hint */
    struct adi3_group *group, *remote; /* remote is NULL in an intracommunicator */
    struct adi3_comm *local;           /* of an intercommunicator: one of the local group */
    struct adi3_comm *inter;           /* of that one: the intercommunicator */
    struct context_block *block;  /* of the context ids of what is made of it; NULL: the job's */
    struct comm_span *span;       /* of a communicator of several jobs: see links.c; else NULL */
    struct adi3_shmcoll *shmcoll; /* its collective segment; see adi3_shmcoll() */
    bool shmcoll_asked;           /* shmcoll has been looked up: NULL then means no segment */
    bool shmcoll_on_node;         /* likewise, that of its processes on this node alone */
    uint32_t begun[ADI3_FORMS];   /* counts that number collective calls, by form */
    struct adi3_call_history *calls[ADI3_FORMS]; /* the last calls of each form; NULL: none */
    struct mismatch_query *asked; /* queries of other ranks about calls still to come */
    int failed;  /* the last error of a call that differed from another rank's; or MPI_SUCCESS */
    int differs; /* likewise, while no call of this rank has returned it */
    /* These belong to src/mpi; ADI3 only carries them: see adi3_comm_ends. */
    MPI_Errhandler errhandler;
    void *owner; /* the MPI_Win or MPI_File of this communicator, for its error handler; or NULL */
    struct mpir_attribute *attributes;
    struct mpir_topology *topology;
    struct coll_nodes *nodes; /* NULL: not looked up yet, or none */
    char *name;               /* NULL: none given */
};

extern struct adi3_comm adi3_world, adi3_self;
extern struct adi3_group adi3_group_empty;
extern struct adi3_pool adi3_comms, adi3_groups;

/* Returns the number of the i-th member: for processes of our job the rank in MPI_COMM_WORLD; see
 * adi3_process_title() for others. */
static inline int adi3_group_process(const struct adi3_group *g, int i)
{
    return g->member ? g->member[i] : g->first + i * g->stride;
}

/* Frees c. Called when its last reference is gone; set by the room comm. */
extern void (*adi3_comm_last)(struct adi3_comm *c);

static inline void adi3_comm_release(struct adi3_comm *c)
{
    assert(c->refs > 0);
    if (--c->refs == 0)
        adi3_comm_last(c);
}

/* Some processes of a communicator, for an operation among them. */
struct adi3_subgroup {
    int size, me;     /* how many; the index of this process among them */
    const int *ranks; /* their ranks in the communicator, in order; NULL: all, index is rank */
    uint32_t digest;  /* must be the same in all of them */
};

static inline int adi3_subgroup_rank(const struct adi3_subgroup *t, int i)
{
    return t->ranks ? t->ranks[i] : i;
}

#endif /* ADI3_BASE_H */
