/* base.h — the doors between the rooms of ADI3: rows of functions that a lower room calls without
 * knowing the rooms above it. */
#ifndef BASE_H
#define BASE_H

#include <assert.h>
#include "adi3_base.h"
#include "setting.h"

/* Whether asserts are compiled: what only they need is kept up to date then. */
#ifdef NDEBUG
enum { BASE_ASSERTS = 0 };
#else
enum { BASE_ASSERTS = 1 };
#endif

enum { ADI3_UNLOCK_BYTES = 1 << 18 }; /* longer copies are made in an unlocked section */

/* What a room wants to hear of. Members may be NULL. Rows are called in the order in which they
 * were added, which is from the ground up. */
struct base_hooks {
    const char *name;                        /* of the room */
    void (*peer_added)(struct adi3_proc *p); /* a device has been chosen for p */
    void (*peer_lost)(struct adi3_proc *p);  /* p cannot be reached any more: see p->lost */
    void (*comm_ends)(struct adi3_comm *c);  /* before c is freed */
    /* The node's segment is about to be used anew: saves what is needed of it. All processes of the
     * node are in this call. Returns an MPI error. */
    int (*segment_lost)(void);
    bool (*quiet)(void);    /* nothing is under way with a device; asked again and again */
    void (*finalize)(void); /* MPI_Finalize, after the last message; called from the roof down */
};

enum { BASE_HOOKS_MAX = 16 };
extern const struct base_hooks *base_hooks[BASE_HOOKS_MAX + 1]; /* NULL-ended */
/* Adds a row; a row that is there already is not added again.
 * Errors: MPI_ERR_INTERN when another row has this name, or there is no room. */
int base_hooks_add(const struct base_hooks *h);

void base_peer_added(struct adi3_proc *p);
void base_peer_lost(struct adi3_proc *p);
void base_comm_ends(struct adi3_comm *c);
int base_segment_lost(void); /* asks all rows; the first error */
bool base_quiet(void);
void base_finalize(void);

void adi3_pools_free(void); /* with all objects */

#endif /* BASE_H */
