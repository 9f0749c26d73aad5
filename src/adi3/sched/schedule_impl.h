/* schedule_impl.h — what a schedule consists of; shared between the files of src/adi3/sched, and no
 * others. */
#ifndef SCHEDULE_IMPL_H
#define SCHEDULE_IMPL_H

#include "adi3/adi3_collchk.h"
#include "adi3/adi3_sched.h"
#include "adi3/p2p/p2p.h"
#include "adi3/shmcoll/shmcoll.h"

enum kind { SEND, RECV, REQUEST, CALL, FENCE, AWAIT, WORK };

struct step {
    enum kind kind;
    bool awaited; /* the next AWAIT waits for it */
    union {
        struct { /* SEND, RECV */
            struct adi3_comm *comm;
            int peer, tag;
            struct adi3_data data;
        };
        struct { /* REQUEST */
            int (*start)(void *arg, MPI_Request *request);
            void *start_arg;
        };
        struct { /* CALL */
            int (*call)(void *arg, int err);
            void *arg;
        };
        struct adi3_work work;
    };
};

struct scratch { /* memory that is freed with a schedule */
    struct scratch *next;
    _Alignas(16) char bytes[];
};

struct adi3_sched {
    struct request_owner owner; /* of the requests of the steps, and of its own */
    struct step *step;
    unsigned steps, room, at;    /* steps; allocated ones; the next one to begin */
    unsigned under_way, awaited; /* requests under way, and how many of them an AWAIT waits for */
    unsigned most;               /* how many may be under way; see adi3_sched_widen() */
    int tag;                     /* of the messages that are added */
    int err;                     /* the first error; or MPI_SUCCESS */
    int filled;                  /* likewise, of adding steps: each start begins with it */
    bool serves;                 /* while the program computes: adi3_sched_serve() */
    bool needs;                  /* async_need() has been called for it */
    bool listed;                 /* in a list of schedules that can go on */
    bool runs; /* schedule_run() is going on: requests that are done need not list it */
    struct adi3_sched *next; /* in one of the lists below */
    struct scratch *scratch;
    struct flag_block *block; /* starts are done there as long as its memory is there; or NULL */
};

/* Saves the first error. When a process is lost the other processes learn of it before they get any
 * further message of this operation, whose data would be incomplete. */
void schedule_first_error(struct adi3_sched *s, int err);
static inline void schedule_note_error(struct adi3_sched *s, int err)
{
    if (__builtin_expect(err, 0) && !s->err)
        schedule_first_error(s, err);
}

/* Takes references to the types and the operation of a step (1), or releases them (-1). */
void step_hold_references(const struct step *x, int refs);

#endif /* SCHEDULE_IMPL_H */
