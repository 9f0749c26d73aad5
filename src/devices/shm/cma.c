/* cma.c — reading and writing a peer's memory directly (CMA: cross-memory attach).
 *
 * Each pair is probed: in another pid namespace the peer's pid may be another process. So each
 * process shows a random number and its address beside its receive FIFO, and a probe must read that
 * number there. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "devices/shm/cma.h"
#include "devices/shm/peer.h"

bool shm_use_cma;

static uint64_t proof;

void shm_cma_init(struct shm_fifo *own)
{
    if (!shm_use_cma || os_random(&proof, sizeof proof))
        return;
    /* Yama: any process of the user may read the memory of this process */
    (void) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    own->pid = (int32_t) getpid();
    own->proof_at = (uintptr_t) &proof;
    own->proof = proof;
}

/* Why a pair cannot use CMA; or a negative errno of the kernel. */
enum { OFF_HERE = 1, OFF_THERE, NOT_IT };

int shm_cma_refusal(const struct shm_fifo *fifo)
{
    uint64_t found = 0;
    const void *at = (const void *) (uintptr_t) fifo->proof_at;

    if (!shm_use_cma)
        return OFF_HERE;
    if (!fifo->pid)
        return OFF_THERE;
    int err = os_cma_read(fifo->pid, &found, at, sizeof found);
    if (err == -ESRCH || err == -EFAULT || (!err && found != fifo->proof))
        return NOT_IT;
    return err;
}

static const char *cma_refusal_reason(int refusal)
{
    switch (refusal) {
    case OFF_HERE:
        return "STARLING_SHM_CMA=no here";
    case OFF_THERE:
        return "STARLING_SHM_CMA=no there";
    case NOT_IT:
        return "CMA finds another process or none at its pid: it is in another pid namespace";
    case -EPERM:
        return "CMA is not permitted: by ptrace_scope, seccomp or as its user namespace is another";
    case -ENOSYS:
        return "CMA is not in this kernel, or seccomp hides it";
    default:
        return strerror(-refusal);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

enum { PLACES = 64 }; /* ranges at either end, with one call */

struct places { /* where the bytes of a message up to `end` are */
    struct iovec v[PLACES];
    int n;
    size_t end;
};

/* Removes what is behind `end`. */
static void ranges_truncate(struct places *p, size_t end)
{
    while (p->n && p->end - p->v[p->n - 1].iov_len >= end)
        p->end -= p->v[--p->n].iov_len;
    if (p->n && p->end > end) {
        p->v[p->n - 1].iov_len -= p->end - end;
        p->end = end;
    }
}

/* Finds the ranges of the bytes from `at` to `end`; of the first of them if there are too many. */
static void ranges_find(struct places *p, const struct dev_memory *m, size_t at, size_t end)
{
    p->end = at;
    p->n = m->ranges(m, &p->end, p->v, PLACES);
    ranges_truncate(p, end);
}

/* The same for contiguous memory, of which byte `at` is at this address. */
static void ranges_set_contiguous(struct places *p, uintptr_t address, size_t at, size_t end)
{
    p->v[0] = (struct iovec) { (void *) address, end - at };
    p->n = 1;
    p->end = end;
}

/* Reads PLACES ranges with a call. Where the ranges of the receiver are short, it reads into a
 * buffer and scatters that. */
int shm_cma_read(pid_t pid, const struct dev_get *op, size_t at, size_t end)
{
    static char buffer[SHM_READ_MOST];
    struct places to, from;
    int err = 0;

    for (; at < end && !err; at = to.end) {
        if (op->memory)
            ranges_find(&to, op->memory, at, end);
        else
            ranges_set_contiguous(&to, (uintptr_t) op->to + at, at, end);
        bool staged = op->memory && to.end - at < (size_t) to.n * SHM_GET_LEAST;
        if (staged)
            ranges_set_contiguous(&to, (uintptr_t) buffer, at,
                                  end - at < sizeof buffer ? end : at + sizeof buffer);
        if (op->there)
            ranges_find(&from, op->there, at, to.end);
        else
            ranges_set_contiguous(&from, (uintptr_t) op->addr + at, at, to.end);
        ranges_truncate(&to, from.end);
        if (to.n == 0)
            return -EFAULT;
        err = os_cma_readv(pid, (struct os_iov) { to.v, to.n }, (struct os_iov) { from.v, from.n });
        if (!err && staged)
            op->memory->scatter(op->memory, at, buffer, to.end - at);
    }
    return err;
}

/* Where the ranges of the local memory are short, it gathers them in a buffer and writes that. */
int shm_cma_write(pid_t pid, const struct dev_put *op, size_t at, size_t end)
{
    static char buffer[SHM_READ_MOST];
    struct places from, to;
    int err = 0;

    for (; at < end && !err; at = from.end) {
        if (op->memory)
            ranges_find(&from, op->memory, at, end);
        else
            ranges_set_contiguous(&from, (uintptr_t) op->from + at, at, end);
        if (from.n == 0)
            return -EFAULT;
        if (op->memory && from.end - at < (size_t) from.n * SHM_GET_LEAST) {
            ranges_set_contiguous(&from, (uintptr_t) buffer, at,
                                  end - at < sizeof buffer ? end : at + sizeof buffer);
            op->memory->gather(op->memory, at, buffer, from.end - at);
        }
        ranges_set_contiguous(&to, (uintptr_t) op->addr + at, at, from.end);
        err = os_cma_writev(pid, (struct os_iov) { from.v, from.n }, (struct os_iov) { to.v, 1 });
    }
    return err;
}

void shm_describe(const struct dev_peer *peer, char *text, size_t len)
{
    const struct shm_peer *p = peer->priv;

    int n = snprintf(text, len, p->no_cma ? "copies: %s" : "reads by CMA",
                     cma_refusal_reason(p->no_cma));
    if (p->tx.refused && n > 0 && (size_t) n < len)
        (void) snprintf(text + n, len - (size_t) n, ", no room for a ring");
}
