/* shm.h — shared between the files of the shm device, and nobody else.
 *
 * A process receives through one inbox, which all others share, and through a ring of its own from
 * each peer that has proven to talk. What is in either is a series of entries. */
#ifndef SHM_H
#define SHM_H

#include "device.h"
#include "os.h"

/* An entry begins with a word: bytes of payload in it, then kind, type and flags of its packet. A
 * ring's word is 0 until the entry is whole. */
enum shm_kind {
    SHM_PLAIN = 1, /* a plain packet whole: struct shm_plain */
    SHM_FULL,      /* a packet, at least its first bytes: struct shm_full */
    SHM_FRAG,      /* more of its payload: struct shm_frag */
    SHM_COOP_FRAG, /* of a large message that both copy: struct shm_coop_frag; see coop_copy.c */
    SHM_COOP_CALL, /* the reader of the other ring has such a message for us to copy */
    SHM_WRAP,      /* go on at the first line of the ring */
    SHM_RING,      /* in an inbox: all that follows comes by the ring at this offset */
};

struct shm_plain {
    _Atomic uint64_t word;
    uint32_t ctx;
    int32_t rank, tag, pad;
    char data[];
};

struct shm_full {
    _Atomic uint64_t word;
    struct dev_pkt pkt;
    char data[];
};

struct shm_frag {
    _Atomic uint64_t word;
    char data[];
};

struct shm_coop_frag {
    _Atomic uint64_t word;
    uint64_t at; /* in the message; the type of the word is the job's index */
    char data[];
};

_Static_assert(sizeof(struct shm_full) == OS_LINE, "a packet without payload is one line");

enum {
    SHM_FRAG_MAX = 4096,    /* bytes of payload in one entry, at most; ... */
    SHM_FRAG_LATER = 16384, /* ... when there was much before, and the ring has room for it */
    SHM_PREFETCH_AHEAD = 5, /* lines fetched ahead where one message follows another */
    SHM_PREFETCH_MOST = 64, /* lines fetched for the next entry, at most */
};

struct shm_line {
    OS_ALIGNED _Atomic uint64_t word;
    char rest[OS_LINE - 8];
};

struct shm_coop {                      /* a large message being copied: see coop_copy.c */
    OS_ALIGNED _Atomic uint64_t claim; /* number of the job, its pieces, those claimed */
    uint64_t from, key;  /* in the sender: address; name, when it is in pieces, or 0 */
    uint64_t len, chunk; /* bytes */
};

enum { SHM_COOPS = 2 }; /* one is begun while the other comes to its end */

struct shm_ring { /* one writer, one reader; in the segment */
    struct shm_coop coop[SHM_COOPS];
    OS_ALIGNED _Atomic uint64_t consumed; /* lines, told in lots */
    _Atomic uint32_t writer_waits;        /* the writer waits for room */
    struct shm_line line[];               /* shm_lines_each of them */
};

enum { SHM_CELLS = 64, SHM_CELL_BYTES = 2 * OS_LINE - 8 };
enum shm_cell_state { SHM_FREE, SHM_CLAIMED, SHM_FILLED };

struct shm_cell {
    OS_ALIGNED _Atomic uint64_t claim; /* lap, state, and who: see fifo.c */
    char entry[SHM_CELL_BYTES];
};

struct shm_fifo {                             /* many writers, one reader; in the segment */
    OS_ALIGNED _Atomic uint64_t tail;         /* a hint where the next free cell is */
    OS_ALIGNED _Atomic uint32_t writer_waits; /* a writer waits for a free cell */
    _Atomic uint32_t rings;                   /* that the reader has to look at, beside this */
    int32_t pid;                              /* the reader's, ... */
    uint64_t proof_at, proof;                 /* ... and what is at that address there: see cma.c */
    struct shm_cell cell[SHM_CELLS];
};

enum { SHM_CLOSED = 1 << 20 };

struct shm_pace { /* see stream.c */
    unsigned turns;
    uint32_t cost[2]; /* ps a line, running averages: through the cache, past it; 0: not known */
};

struct shm_tx {
    struct shm_ring *ring;     /* NULL until the pair has proven to talk */
    bool announced;            /* its marker is in the inbox */
    bool refused;              /* there was no memory for one */
    unsigned count;            /* entries sent through the inbox */
    int credit;                /* lines to write; less SHM_CLOSED while others wait: shm_open() */
    int free;                  /* further lines that are free, but for two */
    struct shm_line *at, *end; /* to be written next; behind the last */
    uint64_t seen;             /* lines known to be consumed */
    unsigned polls;            /* when the last entry was written */
    bool stream;               /* a long message is being written past the cache */
    struct shm_pace pace;
    struct shm_fifo *fifo;
    struct dev_send *first, **last; /* packets that found no room */
};

struct shm_coop_rx { /* by a job of the same index */
    struct shm_coop *shared;
    struct dev_get *op; /* NULL: none */
    uint64_t left;      /* bytes */
    int error;
};

struct shm_rx {
    struct shm_ring *ring;
    unsigned pos;
    uint64_t consumed, returned;
    bool partial; /* a packet of which more is to come */
    struct dev_target target;
    uint64_t payload, got;
    struct dev_get *gets, **last_get; /* large messages that wait for a job */
    struct shm_coop_rx coop[SHM_COOPS];
    struct shm_coop own_coop[SHM_COOPS]; /* before there is a ring: only we see them */
    unsigned coops;                      /* begun */
    uint64_t progress_ns;                /* when a job began or the last part came */
    bool asked_sender, sender_absent;    /* who is asked to help, and did not the last time */
    bool coop_listed;                    /* among those whose messages we copy */
};

struct shm_peer {
    struct dev_peer *peer;
    _Atomic uint32_t *asleep;
    int index;
    bool gone;
    int no_cma;  /* why we cannot read its memory: see shm_cma_refusal; 0: we can */
    bool listed; /* among those that send */
    struct shm_tx tx;
    struct shm_rx rx;
    bool coop_tx_listed; /* listed */
    int coop_tx_at;      /* index of the job */
    struct shm_peer *next_sending, *next_coop_rx, *next_coop_tx;
};

extern const struct dev_env *shm_env;
extern unsigned shm_polls; /* how often this process has polled */

static inline uint64_t shm_word(enum shm_kind kind, const struct dev_pkt *pkt, size_t bytes)
{
    uint16_t type_and_flags;

    __builtin_memcpy(&type_and_flags, &pkt->type, 2);
    return (uint64_t) bytes | (uint64_t) kind << 32 | (uint64_t) type_and_flags << 40;
}

static inline void shm_word_pkt(uint64_t word, struct dev_pkt *pkt) /* its type and flags */
{
    uint16_t type_and_flags = word >> 40 & 0xffff;

    __builtin_memcpy(&pkt->type, &type_and_flags, 2);
}

static inline uint32_t shm_word_bytes(uint64_t word) { return (uint32_t) word; }
static inline enum shm_kind shm_word_kind(uint64_t word) { return word >> 32 & 0xff; }

static inline unsigned shm_lines(size_t bytes)
{
    return (unsigned) ((bytes + OS_LINE - 1) / OS_LINE);
}

static inline struct shm_line *shm_ring_step(const struct shm_tx *t, struct shm_line *at,
                                             unsigned n)
{
    struct shm_line *to = at + n;

    return __builtin_expect(to == t->end, 0) ? t->ring->line : to;
}

/* The entry of n lines at t->at is written: let the reader see it. The words of the two lines
 * behind the last entry are always clear; the second one is cleared when nobody waits for that any
 * more. */
static inline struct shm_line *shm_ring_publish_word(struct shm_tx *t, unsigned n, uint64_t word)
{
    struct shm_line *at = t->at, *next = shm_ring_step(t, at, n);

    t->at = next;
    t->credit -= (int) n;
    if (n > 1)
        atomic_store_explicit(&next->word, 0, memory_order_relaxed);
    atomic_store_explicit(&at->word, word, memory_order_release);
    return next;
}

static inline void shm_ring_clear(const struct shm_tx *t, struct shm_line *next)
{
    atomic_store_explicit(&shm_ring_step(t, next, 1)->word, 0, memory_order_relaxed);
}

/* And the lines that an entry as long as this one would take are fetched. It halves the time of a
 * small message. */
static inline void shm_ring_publish(struct shm_tx *t, unsigned n, uint64_t word)
{
    struct shm_line *next = shm_ring_publish_word(t, n, word);

    if (n == 1 && t->polls == shm_polls)
        os_will_write(&next[SHM_PREFETCH_AHEAD]);
    t->polls = shm_polls;
    for (unsigned i = 2; i <= n && i <= SHM_PREFETCH_MOST; i++)
        os_will_write(&next[i]);
    shm_ring_clear(t, next);
}

/* Between something handed over and a look at whether its taker sleeps; see dev_node. */
static inline void shm_fence(void)
{
    if (__builtin_expect(shm_env->node->fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
}

/* A small message may be written at once, unless others wait or each write needs a fence. */
static inline void shm_set_direct(struct shm_peer *p)
{
    struct shm_tx *t = &p->tx;
    bool open = t->announced && !t->first && !p->gone && !shm_env->node->fences;

    if (open != (t->credit >= 0))
        t->credit += open ? SHM_CLOSED : -SHM_CLOSED;
}

/* ---- files, from the ground up: each calls only those above it here -------------------------- */

/* peer.c */
extern struct shm_peer **shm_rings; /* peers that send through a ring */
extern int shm_nrings;
struct shm_peer *shm_peer_new(struct dev_peer *peer); /* NULL: no memory */
struct shm_peer *shm_peer_at(int index); /* the peer there, added if it was not; NULL: none */
void shm_peers_free(void);
void shm_wake(const struct shm_peer *p);
bool shm_rings_add(struct shm_peer *p, struct shm_ring *ring); /* false: no memory */
void shm_peer_end_receive(struct shm_peer *p);       /* forgets the ring and what was incomplete */
void shm_peer_drop_ops(struct shm_peer *p, int err); /* sends and gets that are queued */
void shm_peer_lose(struct shm_peer *p, int err);

/* cma.c */
enum {
    SHM_READ_MOST = 128 << 10, /* bytes that are read at a time */
    SHM_GET_LEAST = 512,       /* bytes, on average, that make pieces worth reading */
};
extern bool shm_use_cma;
void shm_cma_init(struct shm_fifo *in);
int shm_cma_refusal(const struct shm_fifo *in);                               /* 0: it works */
int shm_cma_read(pid_t pid, const struct dev_get *op, size_t at, size_t end); /* these bytes */
void shm_describe(const struct dev_peer *peer, char *text, size_t len);

/* stream.c */
bool shm_pace_streams(const struct shm_pace *p); /* that is faster */
bool shm_pace_choose(struct shm_pace *p);        /* true: past the cache */
void shm_pace_note(struct shm_pace *p, bool stream, unsigned lines, uint64_t ns);
void shm_stream(const void *entry, char *to, const char *from, size_t len);

/* fifo.c */
extern struct shm_fifo *shm_own_fifo;
extern uint64_t shm_fifo_head; /* cells read */
void shm_fifo_init(struct shm_fifo *in);
struct shm_cell *shm_fifo_claim(struct shm_fifo *in); /* NULL when it is full */
void shm_fifo_publish(struct shm_cell *cell);

static inline struct shm_cell *shm_fifo_at_head(void)
{
    return &shm_own_fifo->cell[shm_fifo_head % SHM_CELLS];
}

static inline bool shm_fifo_is_empty(void) /* no cell is filled or claimed */
{
    const struct shm_cell *c = shm_fifo_at_head();

    return !(atomic_load_explicit(&c->claim, memory_order_acquire) & 0xffff);
}

struct shm_cell *shm_fifo_next(void); /* the next cell with an entry; NULL: none */
int shm_fifo_writer(const struct shm_cell *cell);
void shm_fifo_release(struct shm_cell *cell);

/* ring.c */
enum { SHM_BATCHES = 8 };
extern unsigned shm_lines_each;    /* of a ring: the same in all processes of the node */
void shm_ring_size(int processes); /* sets shm_lines_each */
size_t shm_frag_later(void);       /* SHM_FRAG_LATER where rings are long */
struct shm_ring *shm_ring_map(uint64_t offset);         /* what is there, faulted in */
bool shm_ring_has_credit(struct shm_tx *t, unsigned n); /* n lines; else we shall be woken */
void *shm_ring_reserve(struct shm_tx *t, size_t bytes); /* for an entry; NULL when there is none */
void shm_ring_return_credit(struct shm_peer *p);

/* tx.c */
extern struct shm_peer *shm_sending; /* peers with packets that wait for credit */
int shm_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
int shm_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag, const void *data,
                     size_t len);
void shm_send(struct dev_peer *to, struct dev_send *op);
bool shm_flush(void);
bool shm_coop_call(struct shm_peer *p);     /* false: there is no credit for it */
bool shm_coop_has_credit(struct shm_tx *t); /* for a chunk in any case */
void shm_coop_write(struct shm_peer *p, int coop, const struct dev_send *message, size_t at,
                    size_t len);

/* coop_copy.c */
extern bool shm_coop_active; /* there is something for shm_coop_poll() to do */
void shm_get(struct dev_peer *from, struct dev_get *op);
int shm_coop_arrived(struct shm_peer *p, const struct shm_coop_frag *e, uint64_t word);
void shm_coop_join(struct shm_peer *p);
bool shm_coop_poll(void);
void shm_coop_close(void);

/* rx.c */
bool shm_rx_poll_rings(void);
bool shm_rx_poll_fifo(void);

#endif /* SHM_H */
