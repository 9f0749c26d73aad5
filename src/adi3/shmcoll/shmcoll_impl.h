/* shmcoll_impl.h — shared between the files of areas. */
#ifndef SHMCOLL_IMPL_H
#define SHMCOLL_IMPL_H

#include "collchk.h"
#include "shmcoll.h"

enum {
    SHMCOLL_LINES = 16,
    SHMCOLL_SHORT = 48,      /* bytes that a line has room for */
    SHMCOLL_EACH = 64 << 10, /* bytes of a desk, and of an area, at most */
    SHMCOLL_ALL = 1 << 20,
    SHMCOLL_LEAST = 4 << 10, /* bytes of a desk that are worth it */
    SHMCOLL_FEW = 8,         /* processes with cores of their own that look at each other */
};

enum { SHMCOLL_WAITS = 1 << 30 };
#define SHMCOLL_BARRIER 0x80000000u /* in a line's len: all meet, before so many bytes have room */

struct shmcoll_line {
    OS_ALIGNED _Atomic uint32_t step; /* what is there; with SHMCOLL_WAITS turned over: nothing, but
                                         its owner waits in that step */
    int32_t tag;
    uint32_t past; /* hash of what all operations so far were */
    uint32_t len;  /* of the room; or with SHMCOLL_BARRIER */
    char data[SHMCOLL_SHORT];
};

struct shmcoll_counter { /* of those who have come in a step */
    OS_ALIGNED _Atomic uint32_t here;
    OS_ALIGNED _Atomic uint32_t released; /* the step */
};

struct shmcoll_head {
    OS_ALIGNED _Atomic uint32_t users; /* communicators that have not ended, one in each process */
    OS_ALIGNED _Atomic uint32_t broken;
    _Atomic uint32_t lost;       /* a process whose end broke it, its rank + 1; 0: not known */
    _Atomic uint32_t unreadable; /* processes that cannot read all others' memory */
    struct shmcoll_counter count[SHMCOLL_LINES];
};

struct shmcoll_peer {
    struct shmcoll_line *line;
    _Atomic uint32_t *asleep;
    int index;
};

struct adi3_shmcoll {
    struct shmcoll_head *head;
    struct adi3_comm *comm;
    size_t offset, len; /* in the node's segment */
    int rank, size;
    int err; /* what broke it, here */
    bool last_works, broken, asked, direct;
    size_t ring;        /* bytes of each */
    uint32_t step, met; /* the one under way; the last in which all met */
    uint32_t past;
    uint32_t says; /* our line's len */
    int tag;
    struct shmcoll_line *mine;
    size_t bytes, at;               /* of this step: its room, and where that is; 0: in the line */
    size_t before_end, before_used; /* as the two below were before this step */
    size_t end, used; /* of the ring: where the next step's room begins; how much may be read */
    uint32_t looks;
    struct shmcoll_peer peer[]; /* size + 1: of the last there is the ring alone */
};

/* Between what was written for others and a look at whether they sleep. */
static inline void shmcoll_fence(void)
{
    if (__builtin_expect(adi3_node.fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
}

/* Our line says in which step of what operation we are; waits: it shows nothing, yet. */
static inline void shmcoll_note(struct adi3_shmcoll *a, bool waits)
{
    if (waits && atomic_load_explicit(&a->mine->step, memory_order_relaxed) == a->step)
        return;
    a->mine->tag = a->tag;
    a->mine->past = a->past;
    a->mine->len = a->says;
    atomic_store_explicit(&a->mine->step, waits ? a->step ^ SHMCOLL_WAITS : a->step,
                          memory_order_release);
}

extern bool shmcoll_wanted;                   /* the setting SHARED_COLLECTIVES */
extern struct progress_source shmcoll_source; /* wanted while a call waits in a segment */
void shmcoll_forget(struct adi3_comm *c);     /* its memory is lost */
int flag_block_save_all(void); /* what is published, before the memory is lost; or MPI_ERR_NO_MEM */

/* life.c */
/* A device of this node, with no other around it that is to see all that goes between processes. */
bool shmcoll_reaches(struct adi3_proc *p);
/* What the first process says to all others; so they wait for it. */
int shmcoll_broadcast(struct adi3_comm *c, int tag, void *what, size_t len);

/* shmcoll_wait.c */
void shmcoll_wake_all(const struct adi3_shmcoll *a);
/* The tag, and all else that must be the same, of what a process shows in this step. */
int shmcoll_check(struct adi3_shmcoll *a, int rank);
int shmcoll_is_broken(struct adi3_shmcoll *a, int tag); /* the error of the call with that tag */
/* Until *word == value; an error when that cannot come. */
int shmcoll_wait(struct adi3_shmcoll *a, const _Atomic uint32_t *word, uint32_t value);

#endif /* SHMCOLL_IMPL_H */
