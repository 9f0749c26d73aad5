/* unauthenticated.c — the limit on connections of unauthenticated peers. Until a peer has proven
 * that it belongs to the job, its connection is one of a bounded number, and open for a bounded
 * time. */
#include <sys/resource.h>
#include "devices/sockets/sock_impl.h"

enum { MOST = 64 };

/* Three quarters of the descriptors are left for the program and for authenticated peers. */
int sock_unauthenticated_limit(void)
{
    struct rlimit limit;
    rlim_t quarter = getrlimit(RLIMIT_NOFILE, &limit) ? 256 : limit.rlim_cur / 4;
    int want = MOST + sock_dev.env->job->size;

    return quarter < (rlim_t) want ? (int) quarter : want;
}

int sock_unauthenticated(void)
{
    return sock_dev.count[CONN_UNAUTHENTICATED] + sock_dev.count[CONN_PROOF_AWAITED];
}

/* Closes the oldest connection on which no hello has come, or else the oldest of all. */
bool sock_evict_unauthenticated(void)
{
    struct conn *victim = NULL;

    if (!sock_unauthenticated())
        return false;
    for (struct conn *c = sock_dev.conns; c; c = c->next) {
        if (c->state == CONN_UNAUTHENTICATED) {
            victim = c;
            break;
        }
        if (c->state == CONN_PROOF_AWAITED && !victim)
            victim = c;
    }
    sock_conn_close(victim);
    return true;
}
