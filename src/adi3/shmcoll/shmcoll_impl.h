/* shmcoll_impl.h — what a segment looks like in memory; shared between the files of
 * src/adi3/shmcoll, and no others.
 *
 *   head | control block 0 | ... | control block p-1 | control block p
 *
 *   control block: SHMCOLL_LINES lines | ring
 *
 * Of control block p only the ring is used, for results of the last process to arrive. */
#ifndef SHMCOLL_IMPL_H
#define SHMCOLL_IMPL_H

#include "adi3/collchk/collchk.h"
#include "adi3/shmcoll/shmcoll.h"

enum {
    SHMCOLL_LINES = 16,
    SHMCOLL_SHORT = 48,       /* bytes of data that a line has room for */
    SHMCOLL_LONG = 128 << 10, /* bytes of a control block, at most, ... */
    SHMCOLL_EACH = 64 << 10,  /* ... or where the node's memory goes to many communicators */
    SHMCOLL_ALL = 1 << 20,    /* bytes of a segment, at most, ... */
    SHMCOLL_LEAST = 4 << 10,  /* ... unless control blocks would be smaller than this */
    /* Steps of so many bytes go round in the first part of a long ring, as in a short one: the
     * caches have it. */
    SHMCOLL_NEAR = 8 << 10,
    /* Up to so many processes, with a core each, await each other. Else the last one works. */
    SHMCOLL_FEW = 8,
};

enum { SHMCOLL_WAITS = 1 << 30 };
#define SHMCOLL_BARRIER 0x80000000u

/* A line of step s is number s % SHMCOLL_LINES. Only its owner writes it. The other members are
 * valid for readers that have loaded `step` with acquire order. */
struct shmcoll_line {
    OS_ALIGNED _Atomic uint32_t step; /* the flag. s: published. s ^ SHMCOLL_WAITS: not published,
                                         but the owner waits in step s: tag, past, len are valid */
    int32_t tag;                      /* of the operation */
    uint32_t past;                    /* hash of all operations so far */
    uint32_t len; /* bytes of the step's room. With SHMCOLL_BARRIER: this is an extra barrier that
                     makes room for so many bytes */
    char data[SHMCOLL_SHORT];
};

struct shmcoll_counter {                  /* of a step, where last_works */
    OS_ALIGNED _Atomic uint32_t here;     /* processes that have arrived */
    OS_ALIGNED _Atomic uint32_t released; /* the step whose work the last one has done */
};

struct shmcoll_head {
    OS_ALIGNED _Atomic uint32_t users;  /* processes that use the segment; 0: its memory is free */
    OS_ALIGNED _Atomic uint32_t broken; /* 1: all operations end with an error */
    _Atomic uint32_t lost;        /* the rank + 1 of a process whose death broke it; 0: not known */
    _Atomic uint32_t unreachable; /* processes that cannot read and write all others' memory */
    struct shmcoll_counter count[SHMCOLL_LINES];
};

struct shmcoll_peer {
    struct shmcoll_line *line;   /* the control block */
    _Atomic uint32_t *asleep;    /* its sleep flag, which a publisher looks at */
    const struct dev_node *node; /* its job's segment on this node, ... */
    int index;                   /* ... and its index there */
    int rank;                    /* in the communicator */
};

/* The processes that share a segment. */
struct shmcoll_members {
    struct adi3_comm *comm;
    const int *ranks; /* in the communicator; NULL: all of them */
    int size, me;
};

static inline struct adi3_proc *shmcoll_member(const struct shmcoll_members *m, int member)
{
    return m->comm->proc[m->ranks ? m->ranks[member] : member];
}

static inline int shmcoll_rank_of(const struct shmcoll_members *m, int member)
{
    return m->ranks ? m->ranks[member] : member;
}

/* A process's own view of a segment; the lock guards it. */
struct adi3_shmcoll {
    struct shmcoll_head *head;
    struct adi3_comm *comm;
    size_t offset, len;        /* of the segment, in the node's memory, ... */
    struct node_share share;   /* ... unless it is memory of its own: then `at` is not NULL */
    int rank, size;            /* among the members; peer[i].rank is in the communicator */
    int err;                   /* the first error of this process; MPI_SUCCESS: none */
    bool last_works;           /* see adi3_shmcoll_last_works() */
    bool broken;               /* this process has marked it as broken */
    bool direct_known, direct; /* see adi3_shmcoll_direct() */
    size_t ring;               /* bytes of each ring, ... */
    size_t near;               /* ... and those that short steps use */
    uint32_t step;             /* the one under way */
    uint32_t last_barrier;     /* the last step that was a barrier */
    uint32_t past, line_len;   /* the fields past and len of our line of this step */
    int tag;
    struct shmcoll_line *own_line;  /* our line of this step */
    size_t bytes;                   /* the room of this step; up to SHMCOLL_SHORT in the line */
    size_t at;                      /* where in the rings it is, when it is longer */
    size_t before_end, before_used; /* the next two, as they were before this step */
    size_t end;                     /* where in the rings the room of this step ends */
    size_t used;                    /* bytes of the rings that no barrier has freed */
    uint32_t looks;                 /* counts turns of waits, see wait.c */
    struct shmcoll_peer peer[];     /* size + 1: the last one has only a control block */
};

/* Where in the rings the next step has so many bytes: one range. What is left before the end of the
 * rings is skipped where it is too short. */
static inline size_t shmcoll_next_at(const struct adi3_shmcoll *s, size_t size)
{
    return s->end + size > (size <= SHMCOLL_NEAR ? s->near : s->ring) ? 0 : s->end;
}

/* Stands between the store of a flag and the look at the sleep flags of those that await it. */
static inline void shmcoll_fence(void)
{
    if (__builtin_expect(adi3_node.fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

static inline struct adi3_proc *shmcoll_proc(const struct adi3_shmcoll *s, int rank)
{
    return s->comm->proc[s->peer[rank].rank];
}

/* Writes our line of this step, the flag last. waits: nothing is published yet, but other
 * processes can see which operation this one waits in. */
static inline void shmcoll_write_line(struct adi3_shmcoll *s, bool waits)
{
    if (waits && atomic_load_explicit(&s->own_line->step, memory_order_relaxed) == s->step)
        return;
    s->own_line->tag = s->tag;
    s->own_line->past = s->past;
    s->own_line->len = s->line_len;
    atomic_store_explicit(&s->own_line->step, waits ? s->step ^ SHMCOLL_WAITS : s->step,
                          memory_order_release);
}

/* ---- lengths of segments for so many processes (life.c) -------------------------------------- */

size_t shmcoll_segment_len(int size, size_t each);
size_t shmcoll_control_block_len(size_t len, int size); /* in a segment of this length */

/* Sets all of a peer but its line: what it takes to wake the process. */
static inline void shmcoll_peer_set(struct shmcoll_peer *peer, const struct adi3_comm *c, int rank)
{
    const struct adi3_proc *p = c->proc[rank];

    peer->rank = rank;
    peer->node = proc_node(p);
    peer->index = proc_local(p);
    peer->asleep = peer->node->asleep(peer->node, peer->index);
}

static inline bool shmcoll_peer_sleeps(const struct shmcoll_peer *peer)
{
    return atomic_load_explicit(peer->asleep, memory_order_relaxed) != DEV_AWAKE;
}

static inline void shmcoll_peer_wake(const struct shmcoll_peer *peer)
{
    peer->node->wake(peer->node, peer->index);
}

/* ---- making segments and flag blocks (setup.c) ----------------------------------------------- */

extern bool shmcoll_wanted; /* the setting SHARED_COLLECTIVES */
/* Broadcasts len bytes from member 0. The other members wait for the bytes. */
int shmcoll_broadcast(const struct shmcoll_members *m, int tag, void *what, size_t len);

/* ---- memory of processes of several jobs (memory.c) ------------------------------------------ */

bool shmcoll_spans(const struct shmcoll_members *m); /* they are of several jobs */
/* Bytes that this process may still make. */
size_t shmcoll_share_room(void);
/* Member 0 makes memory of zeros, of so many bytes as it says, and the others map it. All members
 * call it together, with a tag for messages. The answer is the same in all: false when one of them
 * could not, or was not `ready`. */
bool shmcoll_share(const struct shmcoll_members *m, int tag, size_t len, bool ready,
                   struct node_share *s);
void shmcoll_share_drop(struct node_share *s, bool made); /* made: this process was member 0 */

/* Before the node's memory is lost: saves what has been published in flag blocks.
 * Errors: MPI_ERR_NO_MEM. */
int flag_block_save_all(void);

/* ---- waiting (wait.c) ------------------------------------------------------------------------ */

extern struct progress_source shmcoll_source; /* wanted while a call waits in a segment */
void shmcoll_wake_all(const struct adi3_shmcoll *s);
/* Compares tag, past and len of rank's line of this step with ours: the error when they differ. */
int shmcoll_compare_line(struct adi3_shmcoll *s, int rank);
/* The error of the call with that tag, in a segment that is broken. */
int shmcoll_broken_error(struct adi3_shmcoll *s, int tag);
/* Waits until *word == value; an error when that is not going to happen. */
int shmcoll_wait(struct adi3_shmcoll *s, const _Atomic uint32_t *word, uint32_t value);

#endif /* SHMCOLL_IMPL_H */
