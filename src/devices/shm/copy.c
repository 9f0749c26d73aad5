/* copy.c — large messages: out of the sender's memory into the receiver's, by both of them.
 *
 * One core alone moves no more than the lines between two caches allow; two do it nearly twice as
 * fast. So the receiver writes into the ring's head what is to be copied, and tells the sender, who
 * has mostly nothing else to do. Each claims a piece at a time, the receiver reads his, the sender
 * writes his. Who does not come leaves all to the other: nobody waits for a half that is not begun.
 *
 * A claim is a compare-and-swap on one word that says all of a job that a claim depends on:
 *
 *   63 .. 44 number of the job | 43 .. 22 pieces | 21 .. 0 pieces claimed
 *
 * One that belongs to an earlier job, and so to memory that may be in other use, fails; and none is
 * made of a job whose other fields are being written, since the word is that of the last one, all
 * of whose pieces are claimed. */
#include <errno.h>
#include "shm.h"

enum {
    SHARED_LEAST = 12 << 10, /* bytes worth a second hand */
    PIECE_LEAST = 8 << 10,   /* bytes, below which system calls cost more than they bring */
    PIECE_MOST = 128 << 10,
    WORTH_WAKING = 512 << 10, /* bytes that take longer than a wake-up */
    COUNT_BITS = 22,
    COUNT_MAX = (1 << COUNT_BITS) - 1,
};

bool shm_copies;

static struct shm_peer *receiving, *helping; /* peers whose messages we read; whom we help */

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

/* Two pieces where that is enough: each claim costs a system call. */
static size_t piece_for(size_t len)
{
    size_t piece = (len / 2 + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);

    piece = piece < PIECE_LEAST ? PIECE_LEAST : min(piece, PIECE_MOST);
    return len / piece < COUNT_MAX ? piece : len / COUNT_MAX + 1;
}

static uint32_t pieces_of(uint64_t claim) { return claim >> COUNT_BITS & COUNT_MAX; }
static uint32_t claimed_of(uint64_t claim) { return claim & COUNT_MAX; }

/* The next piece of the job; -1 when all are claimed. */
static int64_t claim(struct shm_job *j)
{
    uint64_t seen = atomic_load_explicit(&j->claim, memory_order_acquire);

    while (claimed_of(seen) < pieces_of(seen))
        if (atomic_compare_exchange_weak(&j->claim, &seen, seen + 1))
            return claimed_of(seen);
    return -1;
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static void tell_sender(struct shm_peer *p, size_t len)
{
    bool asleep = atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE;

    if (!shm_env->node->crowded && (!asleep || len >= WORTH_WAKING))
        shm_call_for_help(p);
}

static void begin(struct shm_peer *p)
{
    struct shm_job *j = p->rx.ring ? &p->rx.ring->job : &p->rx.alone;
    const struct dev_get *op = p->rx.gets;
    uint64_t last = atomic_load_explicit(&j->claim, memory_order_relaxed);

    j->from = op->addr;
    j->to = (uintptr_t) op->to;
    j->len = op->len;
    j->piece = piece_for(op->len);
    p->rx.pieces = (uint32_t) ((op->len + j->piece - 1) / j->piece);
    atomic_store_explicit(&j->helped, 0, memory_order_relaxed);
    uint64_t number = (last >> 2 * COUNT_BITS) + 1;
    atomic_store(&j->claim, number << 2 * COUNT_BITS | (uint64_t) p->rx.pieces << COUNT_BITS);
    p->rx.job = j;
    p->rx.own = 0;
    p->rx.error = 0;
    if (p->rx.ring)
        tell_sender(p, op->len);
}

static int read_piece(struct shm_peer *p, uint64_t at, size_t len)
{
    const struct shm_job *j = p->rx.job;

    return os_cma_read(p->tx.inbox->pid, (char *) (uintptr_t) j->to + at,
                       (const void *) (uintptr_t) (j->from + at), len);
}

/* Nobody claims more of it. */
static void give_up(struct shm_peer *p, int err)
{
    p->rx.error = err;
    while (claim(p->rx.job) >= 0)
        p->rx.own++;
}

/* One piece, or the end of the job; true when there was anything to do. */
static bool receive(struct shm_peer *p)
{
    struct shm_job *j = p->rx.job;
    int64_t i = claim(j);

    if (i >= 0) {
        uint64_t at = (uint64_t) i * j->piece;
        int err = read_piece(p, at, min(j->piece, j->len - at));
        p->rx.own++;
        if (err)
            give_up(p, err);
    }
    uint32_t helped = atomic_load_explicit(&j->helped, memory_order_acquire);
    if (p->rx.own + (helped & ~SHM_HELP_FAILED) < p->rx.pieces)
        return i >= 0;
    struct dev_get *op = p->rx.gets;
    if (!(p->rx.gets = op->next))
        p->rx.last_get = &p->rx.gets;
    else
        begin(p);
    op->done(op, helped & SHM_HELP_FAILED ? -EIO : p->rx.error);
    return true;
}

void shm_get(struct dev_peer *from, struct dev_get *op)
{
    struct shm_peer *p = from->priv;
    const void *at = (const void *) (uintptr_t) op->addr;

    if (p->gone || op->len < SHARED_LEAST) {
        op->done(op, p->gone ? -ECONNRESET : os_cma_read(p->tx.inbox->pid, op->to, at, op->len));
        return;
    }
    op->next = NULL;
    *p->rx.last_get = op;
    p->rx.last_get = &op->next;
    if (p->rx.gets != op)
        return;
    begin(p);
    p->next_receiving = receiving;
    receiving = p;
    shm_copies = true;
}

void shm_get_drop(struct shm_peer *p, int err)
{
    struct dev_get *op = p->rx.gets;

    p->rx.gets = NULL;
    p->rx.last_get = &p->rx.gets;
    for (struct dev_get *next; op; op = next) {
        next = op->next;
        op->done(op, err);
    }
}

/* ---- the sender ------------------------------------------------------------------------------ */

void shm_help(struct shm_peer *p)
{
    if (p->helping || p->cannot_help || !p->tx.ring || !p->peer->can_get)
        return;
    p->helping = true;
    p->next_helping = helping;
    helping = p;
    shm_copies = true;
}

/* One piece; false when there is no more to do. */
static bool help(struct shm_peer *p)
{
    struct shm_job *j = &p->tx.ring->job;
    int64_t i = p->gone ? -1 : claim(j);

    if (i < 0)
        return false;
    uint64_t at = (uint64_t) i * j->piece;
    int err = os_cma_write(p->tx.inbox->pid, (void *) (uintptr_t) (j->to + at),
                           (const char *) (uintptr_t) j->from + at, min(j->piece, j->len - at));
    p->cannot_help = err != 0;
    atomic_fetch_add(&j->helped, err ? SHM_HELP_FAILED + 1 : 1);
    shm_wake(p);
    return !err;
}

/* ---- both ------------------------------------------------------------------------------------ */

void shm_copy_end(void)
{
    receiving = helping = NULL;
    shm_copies = false;
}

/* Our own messages first: their senders can help, or have something better to do. */
bool shm_copy(void)
{
    struct shm_peer *p = receiving, **at = &helping;
    bool moved = false;

    receiving = NULL;
    for (struct shm_peer *next; p; p = next) {
        next = p->next_receiving;
        if (p->rx.gets)
            moved |= receive(p);
        if (!p->rx.gets)
            continue;
        p->next_receiving = receiving;
        receiving = p;
    }
    while (!moved && (p = *at)) {
        if (help(p)) {
            moved = true;
        } else {
            *at = p->next_helping;
            p->helping = false;
        }
    }
    shm_copies = receiving || helping;
    return moved;
}
