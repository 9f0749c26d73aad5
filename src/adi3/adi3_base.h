/* adi3_base.h — the ground of ADI3: errors, handles, the lock, and communicators and groups as
 * data.
 *
 * Every room above includes it. What is done with communicators and groups is in adi3_comm.h. */
#ifndef ADI3_BASE_H
#define ADI3_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3_handle.h"

#pragma GCC visibility push(default) /* what mpi.h declares is all that libmpi exports */
#include "mpi.h"
#pragma GCC visibility pop

struct adi3_proc;   /* one process that this one can talk to, itself included */
struct adi3_queues; /* a communicator's posted and unexpected messages */

/* ---- errors ---------------------------------------------------------------------------------- */

/* An error code: the class in the low bits, above them the number of a slot that keeps the text. */
enum { ADI3_CLASS_MASK = 0x7f };

int adi3_error(int errclass, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
int adi3_verror(int errclass, const char *fmt, va_list args) __attribute__((cold));
const char *adi3_error_text(int code); /* the values' text, or NULL when the slot has been reused */
const char *adi3_class_text(int errclass); /* NULL when there is no such class */
const char *adi3_class_name(int errclass); /* "MPI_ERR_RANK"; likewise */

/* Shows the user a line of warning. NULL: warnings are dropped. */
extern void (*adi3_warn)(const char *line);

/* ---- the lock -------------------------------------------------------------------------------- */

extern bool adi3_threads; /* several threads may call at once; else the lock is never taken */
void adi3_lock(void);
void adi3_unlock(void);
/* For assertions: true when the lock is taken, or not needed. */
bool adi3_lock_held(void);
/* Begins an unlocked section for work on len bytes, if that may take long. SIZE_MAX: code of the
 * user runs. Returns true when the lock was dropped; then adi3_lock() must follow. */
bool adi3_unlock_for(size_t len);

/* ---- this process ---------------------------------------------------------------------------- */

const char *adi3_hostname(void);
bool adi3_machine(char *name, size_t len); /* "x86_64"; false: not known, or does not fit */
/* The first len bytes of this program's name and arguments, each with its NUL. Returns how many
 * bytes there are, 0 when they are not known. */
size_t adi3_command_line(char *text, size_t len);

/* ---- objects --------------------------------------------------------------------------------- */

struct adi3_group { /* an ordered set of processes; never changes */
    MPI_Group handle;
    int refs;
    int handles;             /* that the user has to free; 0: only other objects hold it */
    int size, rank;          /* rank is ours or MPI_UNDEFINED */
    int first, stride;       /* member i is process first + i * stride of MPI_COMM_WORLD, ... */
    int *member;             /* ... or listed here */
    struct adi3_proc **proc; /* likewise, once there is a communicator of the group */
    struct adi3_places *at;  /* index of the list by process, made by the first look-up */
};

/* Whether MPI calls may use a communicator's handle. */
enum adi3_closed {
    ADI3_OPEN,    /* all may */
    ADI3_PENDING, /* only calls that send nothing: its MPI_Comm_idup is not complete */
    ADI3_FREED,   /* none: the program has freed it or never had it */
};

enum adi3_hint { /* what the user asserts of a communicator (§6.4.4) */
                 ADI3_NO_ANY_TAG = 1,
                 ADI3_NO_ANY_SOURCE = 2,
                 ADI3_EXACT_LENGTH = 4,
                 ADI3_ALLOW_OVERTAKING = 8,
};

struct adi3_comm {
    MPI_Comm handle;
    int refs; /* of the handle, and of every request under way */
    int rank, size;
    uint32_t recv_ctx, send_ctx;  /* context ids, even; ADI3_COLL uses the next one */
    struct adi3_queues *queue[2]; /* of the two contexts; NULL: it is not open yet */
    struct adi3_proc **proc;      /* the processes that it sends to, by rank */
    int peers;                    /* how many: size, or the remote group's */
    enum adi3_closed closed;
    bool together;                      /* all on one node, ... */
    bool oversubscribed;                /* ... with more processes than cores; the same for all */
    uint8_t hints;                      /* adi3_hint */
    struct adi3_group *group, *remote;  /* remote: NULL of an intracommunicator */
    struct adi3_comm *local;            /* of our group alone; of an intercommunicator */
    struct adi3_shmcoll *area;          /* see adi3_shmcoll(); NULL: it has none, ... */
    bool shmcoll_asked;                 /* ... which is known */
    uint32_t operations, inits;         /* collective operations, to number them */
    struct adi3_call_history *calls[2]; /* the last of each kind; NULL: none */
    struct mismatch_query *asked;       /* what others ask about calls that may come */
    int failed;                         /* a call differed from another's: the last one's error */
    int differs; /* a call differed from another's, and its caller was not told; an error */
    /* src/mpi's, which ADI3 only carries: see adi3_comm_ends. */
    MPI_Errhandler errhandler;
    void *owner; /* the MPI_Win or MPI_File that it belongs to and that gets its errors; or NULL */
    struct mpir_attribute *attributes;
    struct mpir_topology *topology;
    struct coll_nodes *nodes; /* NULL: not asked for yet, or none */
    char *name;               /* NULL: none given */
};

extern struct adi3_comm adi3_world, adi3_self;
extern struct adi3_group adi3_group_empty;
extern struct adi3_pool adi3_comms, adi3_groups;

/* The i-th member, as a rank of MPI_COMM_WORLD. */
static inline int adi3_group_process(const struct adi3_group *g, int i)
{
    return g->member ? g->member[i] : g->first + i * g->stride;
}

extern void (*adi3_comm_last)(struct adi3_comm *c); /* the last reference is gone: frees it */

static inline void adi3_comm_release(struct adi3_comm *c)
{
    assert(c->refs > 0);
    if (--c->refs == 0)
        adi3_comm_last(c);
}

/* Some processes of a communicator: their ranks in it, in order, or NULL: all as they are; and our
 * index among them. */
struct adi3_subgroup {
    int size, me;
    const int *ranks;
    uint32_t digest; /* must be the same in all of them */
};

static inline int adi3_subgroup_rank(const struct adi3_subgroup *t, int i)
{
    return t->ranks ? t->ranks[i] : i;
}

#endif /* ADI3_BASE_H */
