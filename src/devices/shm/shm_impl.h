/* shm_impl.h — shared between the files of the shm device, and with its unit tests.
 *
 * A process receives through two kinds of queues in the node's shared segment: one receive FIFO,
 * into which all peers write, and a ring for each peer that sends often or sends large messages. A
 * ring has one writer and one reader. Both kinds carry entries: a packet, or a fragment of one. */
#ifndef SHM_IMPL_H
#define SHM_IMPL_H

#include "device.h"
#include "os.h"

/* ---- entries ---------------------------------------------------------------------------------
 *
 * An entry begins with a word:
 *
 *   63 .. 56 | 55 .. 48        | 47 .. 40       | 39 .. 32        | 31 .. 0
 *   0        | packet's flags  | packet's type  | kind of entry   | bytes of payload in the entry
 *
 * In a ring the word is 0 until the entry is whole: the store to the word publishes the entry. */

enum shm_kind {
    SHM_PLAIN = 1, /* a whole plain packet: struct shm_plain */
    SHM_FULL,      /* a packet, whole or the first fragment of it: struct shm_full */
    SHM_FRAG,      /* a further fragment of its payload: struct shm_frag */
    SHM_COOP_FRAG, /* a fragment of a cooperative copy (coop_copy.c): struct shm_coop_frag */
    SHM_COOP_CALL, /* a receiver asks the sender to take part in a cooperative copy */
    SHM_WRAP,      /* the next entry is at the first line of the ring */
    SHM_RING,      /* in a FIFO: all further entries of this writer come by the ring at an offset */
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
    _Atomic uint64_t word; /* its type is the index of the cooperative copy */
    uint64_t at;           /* offset of the data in the message, bytes */
    char data[];
};

_Static_assert(sizeof(struct shm_full) == OS_LINE, "a packet without payload is one line");

enum {
    SHM_FRAG_MAX = 4096,    /* largest payload of an entry, bytes */
    SHM_FRAG_LATER = 16384, /* the same for later fragments of a long message: shm_frag_later() */
    SHM_PREFETCH_AHEAD = 5, /* lines between the writer and the line it prefetches in a burst */
    SHM_PREFETCH_MOST = 64, /* most lines that are prefetched for the next entry */
};

static inline uint64_t shm_word(enum shm_kind kind, const struct dev_pkt *pkt, size_t bytes)
{
    uint16_t type_and_flags;

    __builtin_memcpy(&type_and_flags, &pkt->type, 2);
    return (uint64_t) bytes | (uint64_t) kind << 32 | (uint64_t) type_and_flags << 40;
}

/* Sets the packet's type and flags. */
static inline void shm_word_pkt(uint64_t word, struct dev_pkt *pkt)
{
    uint16_t type_and_flags = word >> 40 & 0xffff;

    __builtin_memcpy(&pkt->type, &type_and_flags, 2);
}

static inline uint32_t shm_word_bytes(uint64_t word) { return (uint32_t) word; }
static inline enum shm_kind shm_word_kind(uint64_t word) { return word >> 32 & 0xff; }

/* Cache lines that this many bytes take. */
static inline unsigned shm_lines(size_t bytes)
{
    return (unsigned) ((bytes + OS_LINE - 1) / OS_LINE);
}

/* ---- in the shared segment ------------------------------------------------------------------- */

struct shm_line {
    OS_ALIGNED _Atomic uint64_t word;
    char rest[OS_LINE - 8];
};

struct shm_coop { /* a cooperative copy, as sender and receiver share it: see coop_copy.c */
    OS_ALIGNED _Atomic uint64_t claim; /* number of the copy, chunks, chunks claimed */
    uint64_t from, key;  /* address in the sender; key, if noncontiguous there, or 0 */
    uint64_t len, chunk; /* of the message, of a chunk: bytes */
};

enum { SHM_COOPS = 2 }; /* of a pair and direction: the second begins while the first one ends */

struct shm_ring { /* one writer, one reader */
    struct shm_coop coop[SHM_COOPS];
    OS_ALIGNED _Atomic uint64_t consumed; /* lines: the reader returns credit in batches */
    _Atomic uint32_t writer_waits;        /* the writer waits for credit, the reader wakes it */
    struct shm_line line[];               /* shm_lines_each of them */
};

enum { SHM_CELLS = 64, SHM_CELL_BYTES = 2 * OS_LINE - 8 };
enum shm_cell_state { SHM_FREE, SHM_CLAIMED, SHM_FILLED };

struct shm_cell {
    OS_ALIGNED _Atomic uint64_t claim; /* lap, state, and index of the writer: see fifo.c */
    char entry[SHM_CELL_BYTES];
};

struct shm_fifo {                             /* many writers, one reader */
    OS_ALIGNED _Atomic uint64_t tail;         /* a hint where the next free cell is */
    OS_ALIGNED _Atomic uint32_t writer_waits; /* a writer waits for a free cell */
    _Atomic uint32_t rings;                   /* rings that the reader polls besides this */
    int32_t pid;                              /* the reader's process id, ... */
    uint64_t proof_at, proof;                 /* ... an address in it, the value there: see cma.c */
    struct shm_cell cell[SHM_CELLS];
};

/* ---- a peer, in this process ----------------------------------------------------------------- */

struct shm_pace { /* costs of the two ways to write a long message: see stream.c */
    unsigned turns;
    uint32_t cost[2]; /* ps per line, running averages: through the cache, past it; 0: not known */
};

/* shm_inject_plain() tests one number: whether there is credit. It must not write while packets
 * wait, nor where each write needs a fence. Then the direct path is closed: this much is subtracted
 * from the credit, which makes it negative. */
enum { SHM_CLOSED = 1 << 20 };

struct shm_tx {
    struct shm_ring *ring;     /* NULL until the pair talks enough: wants_ring() */
    bool announced;            /* the entry SHM_RING is in the peer's FIFO */
    bool refused;              /* there was no memory for a ring */
    unsigned count;            /* entries sent through the FIFO */
    int credit;                /* lines that may be written; less SHM_CLOSED: shm_set_direct() */
    int free;                  /* further free lines, without the two that stay clear */
    struct shm_line *at, *end; /* the line to be written next; the end of the ring */
    uint64_t seen;             /* lines known to be consumed */
    unsigned polls;            /* shm_polls when the last entry was written */
    bool stream;               /* a long message is being written past the cache */
    struct shm_pace pace;
    struct shm_fifo *fifo;          /* the peer's */
    struct dev_send *first, **last; /* packets that wait for credit */
};

struct shm_coop_rx { /* the receiver's own part of a cooperative copy */
    struct shm_coop *shared;
    struct dev_get *op; /* NULL: none is under way */
    uint64_t left;      /* bytes */
    int error;
};

struct shm_rx {
    struct shm_ring *ring;
    unsigned pos;                /* line of the next entry */
    uint64_t consumed, returned; /* lines read; lines whose credit has been returned */
    bool partial;                /* further fragments of a packet are to come */
    struct dev_target target;
    uint64_t payload, got;            /* of that packet: bytes, and those that have come */
    struct dev_get *gets, **last_get; /* large messages that wait for a cooperative copy */
    struct shm_coop_rx coop[SHM_COOPS];
    struct shm_coop own_coop[SHM_COOPS]; /* instead of the ring's, while there is no ring */
    unsigned coops;                      /* cooperative copies begun */
    uint64_t progress_ns;                /* when one began or its last fragment came */
    bool asked_sender;                   /* the sender was asked to take part */
    bool sender_absent;                  /* it was asked the last time, and did not take part */
    bool coop_listed;                    /* in the list of peers whose messages are copied here */
};

struct shm_peer {
    struct dev_peer *peer;
    _Atomic uint32_t *asleep; /* see dev_node */
    int index;                /* on the node */
    bool gone;
    int no_cma;  /* why its memory cannot be read: shm_cma_refusal(); 0: it can */
    bool listed; /* in the list shm_sending */
    struct shm_tx tx;
    struct shm_rx rx;
    bool coop_tx_listed; /* in the list of peers to which chunks are written */
    int coop_tx_at;      /* index of the cooperative copy that chunks are claimed of */
    struct shm_peer *next_sending, *next_coop_rx, *next_coop_tx;
};

extern const struct dev_env *shm_env; /* what open() was given */
extern unsigned shm_polls;            /* how often this process has polled */

/* ---- writing a ring -------------------------------------------------------------------------- */

/* The line n lines behind `at`. An entry does not cross the end of the ring. */
static inline struct shm_line *shm_ring_step(const struct shm_tx *t, struct shm_line *at,
                                             unsigned n)
{
    struct shm_line *to = at + n;

    return __builtin_expect(to == t->end, 0) ? t->ring->line : to;
}

/* Publishes the entry of n lines at t->at: the reader sees it from now on. Returns the line behind
 * it. The words of the two lines behind the last entry are always clear. The first one is cleared
 * here if the entry has covered it, the second one by shm_ring_clear(), which may come later. */
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

/* As shm_ring_publish_word(), and prefetches for writing the lines that an entry as long as this
 * one would take: the next message then need not wait for lines that the reader's core still
 * has. That halves the time of a small message. Of one-line entries without a poll in between a
 * line further ahead is prefetched. */
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

/* Orders a write to shared memory before the look at whether its reader sleeps; see dev_node. */
static inline void shm_fence(void)
{
    if (__builtin_expect(shm_env->node->fences, 0))
        atomic_thread_fence(memory_order_seq_cst);
}

/* Opens or closes the direct path of small messages: see SHM_CLOSED. To be called when the queue of
 * packets, `announced` or `gone` have changed. */
static inline void shm_set_direct(struct shm_peer *p)
{
    struct shm_tx *t = &p->tx;
    bool open = t->announced && !t->first && !p->gone && !shm_env->node->fences;

    if (open != (t->credit >= 0))
        t->credit += open ? SHM_CLOSED : -SHM_CLOSED;
}

/* ---- the files: each calls only files above it in this list
 * ----------------------------------- */

/* peer.c */
extern struct shm_peer **shm_rings; /* the peers that send through a ring */
extern int shm_nrings;
struct shm_peer *shm_peer_new(struct dev_peer *peer); /* NULL: no memory */
struct shm_peer *shm_peer_at(int index);              /* added if it was not; NULL: there is none */
void shm_peers_free(void);
void shm_wake(const struct shm_peer *p); /* if it sleeps; after each write that it waits for */
/* From now on p sends through this ring. False: no memory. */
bool shm_rings_add(struct shm_peer *p, struct shm_ring *ring);
/* Forgets the ring of p and ends a packet whose fragments are still to come. */
void shm_peer_end_receive(struct shm_peer *p);
void shm_peer_drop_ops(struct shm_peer *p, int err); /* ends all sends and gets with err */
void shm_peer_lose(struct shm_peer *p, int err);     /* all of this, and tells ADI3 */

/* cma.c */
enum {
    SHM_READ_MOST = 128 << 10, /* bytes that one call reads while the sender takes part */
    SHM_GET_LEAST = 512,       /* average bytes of a range for which noncontiguous reads pay */
};
extern bool shm_use_cma;
void shm_cma_init(struct shm_fifo *own);
int shm_cma_refusal(const struct shm_fifo *fifo); /* why its owner cannot be read; 0: it can */
/* Reads the bytes `at` to `end` of a get. 0 or a negative errno. */
int shm_cma_read(pid_t pid, const struct dev_get *op, size_t at, size_t end);
void shm_describe(const struct dev_peer *peer, char *text, size_t len);

/* stream.c */
bool shm_pace_streams(const struct shm_pace *p); /* writing past the cache is the cheaper way */
bool shm_pace_choose(struct shm_pace *p);        /* the way for the next message; true: past it */
void shm_pace_note(struct shm_pace *p, bool stream, unsigned lines, uint64_t ns);
void shm_stream(const void *entry, char *to, const char *from, size_t len);

/* fifo.c */
extern struct shm_fifo *shm_own_fifo; /* that this process reads */
extern uint64_t shm_fifo_head;        /* cells read */
void shm_fifo_init(struct shm_fifo *own);
struct shm_cell *shm_fifo_claim(struct shm_fifo *fifo); /* for writing; NULL: it is full */
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
void shm_fifo_release(struct shm_cell *cell); /* frees the cell of shm_fifo_next() */

/* ring.c */
/* A writer takes credit in eighths of the ring. A reader returns it in halves of these. */
enum { SHM_BATCHES = 8 };
extern unsigned shm_lines_each;    /* lines of a ring: the same in all processes of the node */
void shm_ring_size(int processes); /* sets shm_lines_each */
size_t shm_frag_later(void);       /* SHM_FRAG_LATER, or less where rings are short */
struct shm_ring *shm_ring_map(uint64_t offset); /* the ring at this offset, faulted in */
/* Whether n lines may be written. False: this process is woken when they may. */
bool shm_ring_has_credit(struct shm_tx *t, unsigned n);
/* Where the next entry of so many bytes goes. NULL: no credit, likewise. */
void *shm_ring_reserve(struct shm_tx *t, size_t bytes);
void shm_ring_return_credit(struct shm_peer *p);

/* tx.c */
extern struct shm_peer *shm_sending; /* list of peers with packets that wait for credit */
int shm_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
int shm_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag, const void *data,
                     size_t len);
void shm_send(struct dev_peer *to, struct dev_send *op);
bool shm_flush(void); /* writes what waits; true if anything was written */
/* The entries of a cooperative copy. */
bool shm_coop_call(struct shm_peer *p);     /* asks the sender; false: there is no credit */
bool shm_coop_has_credit(struct shm_tx *t); /* for a chunk of shm_frag_later() bytes */
void shm_coop_write(struct shm_peer *p, int coop, const struct dev_send *message, size_t at,
                    size_t len);

/* coop_copy.c */
extern bool shm_coop_active; /* there is work for shm_coop_poll() */
void shm_get(struct dev_peer *from, struct dev_get *op);
int shm_coop_arrived(struct shm_peer *p, const struct shm_coop_frag *e, uint64_t word);
void shm_coop_join(struct shm_peer *p); /* p asks this process to take part */
bool shm_coop_poll(void);
void shm_coop_close(void);

/* rx.c */
bool shm_rx_poll_rings(void);
bool shm_rx_poll_fifo(void);

#endif /* SHM_IMPL_H */
