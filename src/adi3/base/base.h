/* base.h — hooks between the rooms of ADI3, and what else only rooms use of the ground.
 *
 * Uses src/platform; used by all other rooms. A room registers a row of functions, which a lower
 * room calls without knowing the rooms above it. */
#ifndef BASE_H
#define BASE_H

#include <assert.h>
#include "adi3/adi3_base.h"
#include "platform/counter.h"
#include "platform/setting.h"

/* Whether asserts are compiled: what only they need is kept up to date then. */
#ifdef NDEBUG
enum { BASE_ASSERTS = 0 };
#else
enum { BASE_ASSERTS = 1 };
#endif

enum { ADI3_UNLOCK_BYTES = 1 << 18 }; /* longer copies are made without the lock */

/* The events that a room acts on. Members may be NULL. Rows are called in the order in which they
 * were added: lower rooms first. */
struct base_hooks {
    const char *name;                        /* of the room */
    void (*job_added)(int first, int count); /* a job is known: the numbers of its processes */
    void (*peer_added)(struct adi3_proc *p); /* a device has been chosen for p */
    void (*peer_lost)(struct adi3_proc *p);  /* p cannot be reached any more: see p->lost */
    int (*comm_made)(struct adi3_comm *c);   /* c has its groups; returns an MPI error */
    void (*comm_ends)(struct adi3_comm *c);  /* c is about to be freed */
    /* The node's segment is about to be cleared: saves what the room needs of it. All processes of
     * the node are in this call. Returns an MPI error. */
    int (*segment_lost)(void);
    void (*devices_end)(void); /* devices are about to be closed: gives back what they registered */
    bool (*quiet)(void);       /* true when nothing is under way with a device; called repeatedly */
    bool (*invites)(void);     /* true while processes of other jobs may connect with this one */
    void (*finalize)(void);    /* MPI_Finalize, after the last message; upper rooms first */
};

enum { BASE_HOOKS_MAX = 16 };
extern const struct base_hooks *base_hooks[BASE_HOOKS_MAX + 1]; /* NULL-ended */
/* Adds a row; does nothing when the row is there already.
 * Errors: MPI_ERR_INTERN when another row has this name, or all places are taken. */
int base_hooks_add(const struct base_hooks *h);

/* Each calls that function of all rows. */
void base_job_added(int first, int count);
void base_peer_added(struct adi3_proc *p);
void base_peer_lost(struct adi3_proc *p);
int base_comm_made(struct adi3_comm *c); /* returns the first error */
void base_comm_ends(struct adi3_comm *c);
int base_segment_lost(void); /* returns the first error */
void base_devices_end(void);
bool base_quiet(void);   /* true when all rows say so */
bool base_invites(void); /* true when a row says so */
void base_finalize(void);

/* ---- the lock between the program's one thread and a thread of the library (lock.c) ---------- */

/* From now on the library's thread may take the lock, which the call in progress has. fences: there
 * is no membarrier. Does nothing where several threads may call: they have a lock already. */
void base_bias_lock(bool fences);
void base_unbias_lock(void); /* it may not any more */
/* Takes the lock for the library's thread. False: the program is in a call, or none may serve. */
bool base_serve_begin(void);
void base_serve_end(void);
bool base_inside(void); /* the program is in a call */
bool base_moved(void);  /* a call has begun or ended since the last look by this function */

void adi3_pools_free(void); /* frees all pools with their objects */

#endif /* BASE_H */
