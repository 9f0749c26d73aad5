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

void shm_describe(const struct dev_peer *peer, char *text, size_t len)
{
    const struct shm_peer *p = peer->priv;

    (void) snprintf(text, len, p->no_cma ? "copies: %s" : "reads by CMA", reason(p->no_cma));
}
