/* module.c — the libfabric device: its table of functions, opening and closing, poll. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "devices/libfabric/module/ofi_impl.h"

enum {
    COST_FAST = 20, /* the cost of sockets is between these two */
    COST_TCP = 60,
    TURN = 16,
    LOOK_NS = 2000,
    HOT_NS = 200000,
    WATCH_NS = 1000000,
};

static void close_ofi(void);

static int open_all(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX])
{
    int rc = ofi_choose_provider(env->node->count == env->job->size && !env->beyond);

    if (!rc)
        rc = ofi_open_fabric();
    if (rc)
        return rc;
    ofi_watch_open();
    if ((ofi_dev.epoll = os_epoll()) < 0 || (ofi_dev.watches = os_epoll()) < 0)
        return ofi_dev.epoll < 0 ? ofi_dev.epoll : ofi_dev.watches;
    rc = os_epoll_set(ofi_dev.epoll, ofi_dev.watches, true, false, NULL);
    if (!rc && ofi_dev.cq_fd >= 0)
        rc = os_epoll_set(ofi_dev.epoll, ofi_dev.cq_fd, true, false, NULL);
    if (rc)
        return rc;
    rc = ofi_endpoint_write(&ofi_dev.endpoint, endpoint);
    return rc ? ofi_error("the address is too long for an endpoint", rc) : 0;
}

static int open_ofi(const struct dev_env *env, char endpoint[DEV_ENDPOINT_MAX])
{
    ofi_reset(env);
    ofi_regions_forget();
    int rc = open_all(env, endpoint);
    if (rc) {
        char error_text[OFI_TEXT];
        memcpy(error_text, ofi_dev.error_text, sizeof error_text);
        close_ofi();
        memcpy(ofi_dev.error_text, error_text, sizeof error_text);
    }
    return rc;
}

/* After a loss the provider may still have messages for the lost peer, and uses this memory. It
 * is not closed then, and nothing is freed: ofi_rxm 1.17 crashes when it is closed in this
 * state. */
static void close_ofi(void)
{
    for (struct ofi_peer *p = ofi_dev.peers; p; p = p->next)
        if (p->peer)
            ofi_del_peer(p->peer);
    ofi_close_peers();
    ofi_watch_close();
    ofi_unacked_close();
    if (ofi_dev.watches >= 0)
        (void) close(ofi_dev.watches);
    if (ofi_dev.epoll >= 0)
        (void) close(ofi_dev.epoll);
    if (ofi_any_peer_lost())
        return;
    ofi_free_rma();
    ofi_regions_close();
    ofi_free_peers();
    ofi_close_fabric();
    ofi_reset(NULL);
}

/* There is one endpoint, which processes of the own job know already. */
static int fabric_widen(char endpoint[DEV_ENDPOINT_MAX])
{
    static const char why[] = "it was opened at the loopback interface, as the job was alone; "
                              "STARLING_OFI_DOMAIN names another one";

    (void) endpoint;
    if (!ofi_dev.loopback)
        return 0;
    memcpy(ofi_dev.error_text, why, sizeof why);
    return -EADDRNOTAVAIL;
}

/* A peer is reached only if both processes use the same provider. */
static int fabric_peer_cost(const struct dev_peer *peer)
{
    const struct ofi_endpoint *own = &ofi_dev.endpoint;
    struct ofi_endpoint endpoint;
    bool self = peer->job == ofi_dev.env->job && peer->rank == ofi_dev.env->rank;

    if (self || !peer->endpoint || ofi_endpoint_parse(peer->endpoint, &endpoint)
        || strcmp(endpoint.provider, own->provider) || endpoint.format != own->format
        || endpoint.mode != own->mode)
        return -1;
    if ((ofi_dev.loopback || !strcmp(own->provider, "shm")) && !peer->node)
        return -1;
    return strstr(own->provider, "tcp") ? COST_TCP : COST_FAST;
}

/* ---- progress -------------------------------------------------------------------------------- */

static bool fabric_retry(void)
{
    struct ofi_buf *b = ofi_dev.unposted;
    bool moved = false;

    ofi_dev.retry_needed = false;
    ofi_dev.unposted = NULL;
    for (struct ofi_buf *next; b; b = next) {
        next = b->next;
        ofi_post_receive(b);
    }
    moved = ofi_rma_more();
    return moved;
}

static bool fabric_progress(void)
{
    bool moved = ofi_cq_poll();

    if (ofi_dev.blocked)
        moved |= ofi_flush();
    if (ofi_dev.retry_needed)
        moved |= fabric_retry();
    if (ofi_dev.peer_failed)
        moved |= ofi_lose_failed_peers();
    return moved;
}

static bool by_the_clock(void)
{
    uint64_t now = os_time_ns();
    bool moved = false;

    if (!ofi_dev.hot && now - ofi_dev.last_look >= LOOK_NS) {
        ofi_dev.last_look = now;
        moved = fabric_progress();
    }
    if (moved || ofi_dev.moved)
        ofi_dev.last_moved = now;
    ofi_dev.moved = false;
    ofi_dev.hot = now - ofi_dev.last_moved < HOT_NS;
    if (ofi_dev.watching && now - ofi_dev.last_watch >= WATCH_NS) {
        ofi_dev.last_watch = now;
        moved |= ofi_watch_poll();
    }
    return ofi_unacked_poll(now) || moved;
}

/* Reading the completion queue may cost system calls. While nothing completes it is read only
 * every few microseconds, because a process may poll without pause for another device. */
static bool poll_ofi(void)
{
    bool moved = ofi_dev.hot && fabric_progress();

    ofi_dev.moved |= moved;
    if (++ofi_dev.turn % TURN == 0)
        moved |= by_the_clock();
    return moved;
}

/* The descriptor does not become readable when the provider has room again. While something
 * waits for that, the process must not sleep. */
static int wait_fd(void)
{
    bool waits = ofi_dev.cq_fd < 0 || (ofi_dev.blocked && ofi_dev.starved) || ofi_dev.retry_needed;

    return waits ? -1 : ofi_dev.epoll;
}

static bool may_sleep(void)
{
    struct fid *cq = &ofi_dev.cq->fid;

    if (fabric_progress() || ofi_watch_poll())
        return false;
    return ofi_dev.cq_fd < 0 || fi_trywait(ofi_dev.fabric, &cq, 1) == FI_SUCCESS;
}

static const struct dev_ops ops = {
    .name = "libfabric",
    .abi = DEV_ABI,
    .open = open_ofi,
    .widen = fabric_widen,
    .close = close_ofi,
    .cost = fabric_peer_cost,
    .add_peer = ofi_add_peer,
    .del_peer = ofi_del_peer,
    .forget_peer = ofi_forget_peer,
    .forget_job = ofi_forget_job,
    .inject = ofi_inject,
    .send = ofi_send,
    .poll = poll_ofi,
    .wait_fd = wait_fd,
    .may_sleep = may_sleep,
    .get = ofi_get,
    .expose = ofi_expose,
    .unexpose = ofi_unexpose,
    .put = ofi_put,
    .register_memory = ofi_register_memory,
    .deregister_memory = ofi_unexpose,
    .atomic = ofi_atomic,
    .atomic_room = ofi_atomic_room,
    .alloc_mem = ofi_alloc_mem,
    .free_mem = ofi_free_mem,
    .watch = ofi_watch,
    .why = ofi_error_text,
};

__attribute__((visibility("default"))) const struct dev_ops *
starling_libfabric(const struct ofi_settings *settings)
{
    ofi_dev.settings = settings;
    return &ops;
}
