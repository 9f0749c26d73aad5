/* node_segment.h — shared segments, between the files of src/adi3/proc that make, find and join
 * them. */
#ifndef NODE_SEGMENT_H
#define NODE_SEGMENT_H

#include "adi3/proc/proc_impl.h"

/* Indices from MAX_SLOTS on are those of guests: see guest_index(). */
enum { MAX_SLOTS = 4096, MAX_GUESTS = 4096, PAGE = 4096, SIZES = 12, MAGIC = 0x53744d55 };
_Static_assert(MAX_SLOTS + MAX_GUESTS == DEV_PLACES, "an index says the place");

struct node_guest {       /* the place of a process of another job, a writer to the segment */
    _Atomic uint64_t job; /* its id; 0: the place is free, or the entry is being written */
    _Atomic int32_t rank;
    _Atomic uint32_t times; /* how often the place has been taken */
};

/* The index of the guest that has taken a place as the times-th one. */
static inline int guest_index(int place, uint32_t times)
{
    const uint32_t most = 1u << (DEV_INDEX_BITS - 13);

    return MAX_SLOTS + place + DEV_PLACES * (int) (times % most);
}

struct node_promise {       /* memory that is promised: see promise.c */
    _Atomic uint32_t owner; /* index + 1 of its maker; 0: the row is free */
    int32_t pid, fd;        /* of the maker */
    uint64_t file;          /* os_file_number() */
    _Atomic uint64_t bytes; /* 0: the row is not written yet */
};
enum { NODE_PROMISES = 128 };

struct node_head {
    _Atomic uint32_t magic; /* MAGIC; 0 while the segment is being made */
    uint32_t capacity;
    uint32_t ranks;         /* of the job */
    _Atomic uint32_t nodes; /* of the job; 0: they have not been counted: see node_table.c */
    uint64_t len;
    uint64_t lent;                    /* bytes for guests, which become no blocks */
    char abi[ABI_TEXT];               /* see abi.c */
    char job[NODE_NAME];              /* begins the names of its sockets */
    _Atomic uint32_t count;           /* slots taken */
    _Atomic uint32_t guests;          /* places of guests that have been taken at least once */
    _Atomic uint32_t fences;          /* membarrier() is missing: see dev_node.fences */
    _Atomic uint64_t barrier_entries; /* processes that have entered our own barriers */
    _Atomic uint32_t deaths;          /* how often a process has found another one dead */
    struct node_leaving leaving;      /* of processes that have come to the end */
    _Atomic uint64_t world;           /* see node_world() */
    _Atomic uint64_t used;            /* bytes from the start of the segment that are taken */
    /* Stacks of released blocks of a page, of two, of four, ...; and of what was lent to guests. */
    _Atomic uint64_t free[SIZES], given[SIZES];
    struct node_promise promise[NODE_PROMISES];
    unsigned char keys[NODE_KEYS];
    struct node_guest guest[MAX_GUESTS];
    struct node_slot slot[]; /* and behind them struct node_table */
};

struct segment {
    struct node_head *head;
    size_t len;        /* bytes mapped: kept here, as other processes may change the head ... */
    uint32_t capacity; /* ... and so are the slots ... */
    uint32_t ranks;    /* ... and the ranks */
    size_t lent;       /* likewise */
    int fd;
    uint32_t deaths; /* of the head, as seen by node_turn() last */
    uint32_t turn;
};

struct node_table {         /* where the processes of the job are; mostly never used */
    _Atomic int16_t *local; /* by rank: 1 + the index of its slot; 0: it is on another node */
    int *node;              /* the same as in struct adi3_node_map; behind these two are ... */
    int *ranks;             /* ... leader and first, which take as much as there are nodes */
};

/* Bytes of local: an even number of ranks. */
static inline size_t node_table_local_len(uint32_t ranks)
{
    return ((size_t) ranks + 1) / 2 * 2 * sizeof(int16_t);
}

static inline size_t node_table_len(uint32_t ranks)
{
    return node_table_local_len(ranks) + (4 * (size_t) ranks + 1) * sizeof(int);
}

static inline struct node_table node_table_of(const struct segment *s)
{
    char *at = (char *) &s->head->slot[s->capacity];
    int *node = (int *) (void *) (at + node_table_local_len(s->ranks));

    return (struct node_table) { (_Atomic int16_t *) (void *) at, node, node + s->ranks };
}

struct segment_plan {
    const char *job;   /* begins the names of its sockets; less than NODE_NAME letters */
    uint32_t capacity; /* slots */
    uint32_t ranks;    /* of the job */
    size_t each;       /* bytes for each process */
    size_t lent;       /* bytes for guests */
};

struct neighbor { /* the segment of another job on this node */
    struct dev_node node;
    struct segment segment;
    const struct proc_job *job;
    struct neighbor *next;
};

extern struct segment segment_own;

/* segment.c */
/* Makes an empty segment: 0, or a negative errno; then *what says what failed. It is made in the
 * memory s->fd, of os_memfd_empty() and perhaps of a process that died while it did this; where
 * s->fd is negative, in new memory. */
int segment_make(struct segment *s, const struct segment_plan *plan, const char **what);
/* Maps the segment that s->fd is. It must be a whole one of this version of the library that no
 * process can make shorter. Takes over the descriptor, also on error. whose names its maker.
 * Errors: MPI_ERR_OTHER. */
int segment_map(struct segment *s, const char *whose);
void segment_unmap(struct segment *s);
/* What devices get: the members of struct dev_node. */
_Atomic uint32_t *segment_asleep(const struct dev_node *n, int index);
bool segment_alive(const struct dev_node *n, int index);
void segment_wake_all(const struct dev_node *n);
int segment_guest(const struct dev_node *n, const struct dev_job *job, int rank);
size_t segment_take(const struct dev_node *n, size_t len, const char **why);
size_t segment_lend(const struct dev_node *n, size_t len, const char **why);
void segment_give(const struct dev_node *n, size_t offset, size_t len);

/* node_local.c */
void node_local_enter(int rank, int index); /* of this process, or what a test plays */

/* promise.c */
/* Enters a promise of so many bytes of the memory fd, of this process: its row, for
 * promise_leave(); or 0: the memory has to be reserved, since there is no row, or since the kernel
 * accounts for each page when it is touched (then a shortage would be SIGBUS). */
int promise_enter(uint64_t bytes, int fd);
void promise_leave(int row);
uint64_t promise_sum(int except); /* bytes that are promised and untouched, without this row */

/* elect.c */
/* Decides which of the processes that have the memory s->fd makes a segment of it. 1: this one,
 * which then calls segment_elected(); 0: the segment is made; or a negative errno. Waits while
 * another process makes it. */
int segment_elect(const struct segment *s);
void segment_elected(const struct segment *s);

#endif /* NODE_SEGMENT_H */
