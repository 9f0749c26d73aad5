/* segment.h — what the processes of a node share: entries, receive FIFOs, rings.
 *
 * A process receives through two kinds of queues in the shared segment of its job on this node: one
 * receive FIFO, into which all peers write, and a ring for each peer that sends often or sends
 * large messages. A ring has one writer and one reader. Both kinds carry entries: a packet, or a
 * fragment of one. */
#ifndef SEGMENT_H
#define SEGMENT_H

#include "devices/device.h"
#include "platform/os.h"

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
};

/* A word has the bytes of the payload, enum shm_kind, and the type and the flags of the packet. */
enum { SHM_WORD_KIND = 32, SHM_WORD_TYPE = 40, SHM_WORD_FLAGS = 48 }; /* the first bit of each */

static inline uint64_t shm_word(enum shm_kind kind, const struct dev_pkt *pkt, size_t bytes)
{
    uint16_t type_and_flags;

    __builtin_memcpy(&type_and_flags, &pkt->type, 2);
    return (uint64_t) bytes | (uint64_t) kind << SHM_WORD_KIND
           | (uint64_t) type_and_flags << SHM_WORD_TYPE;
}

/* Sets the packet's type and flags. */
static inline void shm_word_pkt(uint64_t word, struct dev_pkt *pkt)
{
    uint16_t type_and_flags = word >> SHM_WORD_TYPE & 0xffff;

    __builtin_memcpy(&pkt->type, &type_and_flags, 2);
}

static inline uint32_t shm_word_bytes(uint64_t word) { return (uint32_t) word; }
static inline enum shm_kind shm_word_kind(uint64_t word) { return word >> SHM_WORD_KIND & 0xff; }

/* Cache lines that this many bytes take. */
static inline unsigned shm_lines(size_t bytes)
{
    return (unsigned) ((bytes + OS_LINE - 1) / OS_LINE);
}

/* ---- queues ---------------------------------------------------------------------------------- */

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
    uint32_t lines;                       /* as the writer chose, for its job on this node */
    struct shm_line line[];
};

enum { SHM_CELLS = 64, SHM_CELL_BYTES = 2 * OS_LINE - 8 };
enum shm_cell_state { SHM_FREE, SHM_CLAIMED, SHM_FILLED };
enum { SHM_CLAIM_STATE = 30, SHM_CLAIM_WRITER = (1 << SHM_CLAIM_STATE) - 1 }; /* see fifo.c */

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

#endif /* SEGMENT_H */
