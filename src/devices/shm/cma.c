/* cma.c — reading a peer's memory directly (cross-memory attach).
 *
 * Each pair is tried on its own: a pid may mean another process in another namespace, so a read
 * must bring the random number that the owner of the inbox has at the address it gives. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "shm.h"

static uint64_t proof;

void shm_cma_init(struct shm_inbox *in)
{
    if (!shm_use_cma || os_random(&proof, sizeof proof))
        return;
    (void) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* Yama: processes of our user may read us */
    in->pid = (int32_t) getpid();
    in->proof_at = (uintptr_t) &proof;
    in->proof = proof;
}

/* Why this pair cannot: off at either end, or what the kernel says. */
enum { OFF_HERE = 1, OFF_THERE, NOT_IT };

int shm_cma_refusal(const struct shm_inbox *in)
{
    uint64_t found = 0;
    const void *at = (const void *) (uintptr_t) in->proof_at;

    if (!shm_use_cma)
        return OFF_HERE;
    if (!in->pid)
        return OFF_THERE;
    int err = os_cma_read(in->pid, &found, at, sizeof found);
    if (err == -ESRCH || err == -EFAULT || (!err && found != in->proof))
        return NOT_IT;
    return err;
}

static const char *reason(int refusal)
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

enum { PLACES = 64 }; /* at either end, with one call */

struct places { /* of the bytes up to `end` */
    struct iovec v[PLACES];
    int n;
    size_t end;
};

static void cut(struct places *p, size_t end)
{
    while (p->n && p->end - p->v[p->n - 1].iov_len >= end)
        p->end -= p->v[--p->n].iov_len;
    if (p->n && p->end > end) {
        p->v[p->n - 1].iov_len -= p->end - end;
        p->end = end;
    }
}

/* Those of the bytes from `at` to `end`, or of the first of them. */
static void find(struct places *p, const struct dev_memory *m, size_t at, size_t end)
{
    p->end = at;
    p->n = m->ranges(m, &p->end, p->v, PLACES);
    cut(p, end);
}

/* The byte numbered `at` is at this address, the others behind it. */
static void find_one(struct places *p, uintptr_t address, size_t at, size_t end)
{
    p->v[0] = (struct iovec) { (void *) address, end - at };
    p->n = 1;
    p->end = end;
}

/* By as few calls as there are places for, or through a buffer where those here are short. */
int shm_cma_read(pid_t pid, const struct dev_get *op, size_t at, size_t end)
{
    static char buffer[SHM_READ_MOST];
    struct places to, from;
    int err = 0;

    for (; at < end && !err; at = to.end) {
        if (op->memory)
            find(&to, op->memory, at, end);
        else
            find_one(&to, (uintptr_t) op->to + at, at, end);
        bool staged = op->memory && to.end - at < (size_t) to.n * SHM_GET_LEAST;
        if (staged)
            find_one(&to, (uintptr_t) buffer, at,
                     end - at < sizeof buffer ? end : at + sizeof buffer);
        if (op->there)
            find(&from, op->there, at, to.end);
        else
            find_one(&from, (uintptr_t) op->addr + at, at, to.end);
        cut(&to, from.end);
        if (to.n == 0)
            return -EFAULT;
        err = os_cma_readv(pid, (struct os_iov) { to.v, to.n }, (struct os_iov) { from.v, from.n });
        if (!err && staged)
            op->memory->scatter(op->memory, at, buffer, to.end - at);
    }
    return err;
}

void shm_describe(const struct dev_peer *peer, char *text, size_t len)
{
    const struct shm_peer *p = peer->priv;

    (void) snprintf(text, len, p->no_cma ? "copies: %s" : "reads by CMA", reason(p->no_cma));
}
