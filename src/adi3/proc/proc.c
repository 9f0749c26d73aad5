/* proc.c — the processes of the job, and the device that reaches each; joining and leaving.
 *
 * Devices that reach only this node are opened first. If all processes are on this node and have
 * such a device, no other device is opened: a job on one node resolves no host name and opens no
 * IP socket. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

bool proc_any_lost, proc_may_fail;

static bool others_needed; /* devices that reach other nodes are needed */
static bool others_open;
static char why_not[256]; /* one does not reach processes of other jobs */

/* ---- peers ----------------------------------------------------------------------------------- */

/* inject_plain() for devices that have only inject(). */
static int inject_packet(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                         const void *data, size_t len)
{
    const struct dev_pkt pkt = {
        .payload = len, .type = 0, .flags = DEV_PLAIN, .ctx = ctx, .rank = rank, .tag = tag
    };

    return proc_of(to)->dev->ops->inject(to, &pkt, data);
}

unsigned proc_unreachable;

static int unreachable_error(const struct adi3_proc *p)
{
    const char *no_secret = proc_job_of(p)->no_secret, *why = no_secret ? no_secret : why_not;
    bool chosen = *adi3_setting_devices;
    char whom[PROC_PLACE];

    proc_unreachable++;
    return adi3_error(MPI_ERR_OTHER, "no device of this process reaches %s%s%s%s%s",
                      proc_title_on_host(p, whom),
                      chosen ? "; only these may: STARLING_DEVICES=" : "", adi3_setting_devices,
                      *why ? "; " : "", why);
}

/* Whether device d at this cost is better than the best one so far. At equal cost the one that was
 * configured first wins. */
static bool is_device_better(int cost, const struct adi3_dev *d, int best,
                             const struct adi3_dev *than)
{
    return best < 0 || cost < best || (cost == best && d->place < than->place);
}

/* Without a secret nothing tells a process of another job from a stranger, but in memory. */
static bool may_serve(const struct adi3_dev *d, const struct adi3_proc *p)
{
    return !proc_job_of(p)->no_secret || d->limits.node_only;
}

/* Chooses the cheapest device that reaches p, and sets its address there. */
static int choose_device(struct adi3_proc *p, const char *card)
{
    int best = -1;

    for (int i = 0; i < adi3_ndevs; i++) {
        if (!may_serve(&adi3_devs[i], p))
            continue;
        const char *endpoint = business_card_endpoint(&p->peer, card, &adi3_devs[i]);
        p->peer.endpoint = endpoint;
        int cost = endpoint ? adi3_devs[i].ops->cost(&p->peer) : -1;
        if (cost >= 0 && is_device_better(cost, &adi3_devs[i], best, p->dev)) {
            best = cost;
            p->dev = &adi3_devs[i];
        }
    }
    const char *endpoint = best < 0 ? NULL : business_card_endpoint(&p->peer, card, p->dev);
    p->peer.endpoint =
        endpoint && !p->peer.node ? strdup(endpoint) : endpoint; /* freed by close_all() */
    return best < 0 ? unreachable_error(p) : MPI_SUCCESS;
}

/* What p itself says of p, when it is on another node. */
static int business_card_read(struct adi3_proc *p, const char *card)
{
    const char *host = p->link->host ? NULL : business_card_find(card, "host");
    char whose[PROC_PLACE];

    if (host)
        p->link->host = strdup(host); /* freed by close_all() */
    if (!card)
        return MPI_SUCCESS; /* no device reaches it then */
    int err = business_card_check(p, card);
    if (!err)
        err = abi_compare(business_card_find(card, "abi"), proc_title_on_host(p, whose));
    return err;
}

int proc_add(struct adi3_proc *p)
{
    assert(adi3_lock_held());
    assert(!p->dev || p->lost || proc_behind(p));
    jobs_know(p, proc_node(p), proc_local(p));
    if (p->lost)
        return proc_error(p, p->lost);
    if (!p->link && !(p->link = calloc(1, sizeof *p->link)))
        return proc_error(p, -ENOMEM);
    char *card = !p->peer.node ? business_card_fetch(p) : NULL;
    int err = business_card_read(p, card);
    if (!err)
        err = choose_device(p, card);
    free(card);
    if (err)
        return err;
    err = p->dev->ops->add_peer(&p->peer);
    if (err) {
        err = proc_error(p, err);
        if (!p->peer.node)
            free((char *) (uintptr_t) p->peer.endpoint);
        p->peer.endpoint = NULL;
        p->dev = NULL; /* the next message tries again */
        return err;
    }
    p->dev->has_peers = true;
    p->inject_plain = p->dev->ops->inject_plain ? p->dev->ops->inject_plain : inject_packet;
    p->inject_below = p->dev->limits.inject_max + 1;
    base_peer_added(p);
    return MPI_SUCCESS;
}

bool proc_through_memory(struct adi3_proc *p)
{
    const struct dev_ops *const *known = dev_table;

    if ((!p->dev && proc_add(p)) || !p->dev->limits.node_only)
        return false;
    while (*known && *known != p->dev->ops)
        known++;
    return *known != NULL;
}

void proc_lost(struct adi3_proc *p, int err)
{
    assert(adi3_lock_held());
    jobs_know(p, proc_node(p), proc_local(p));
    if (p->lost)
        return;
    p->lost = err < 0 ? err : -ECONNRESET;
    proc_any_lost = proc_may_fail = true;
    p->inject_below = 0;
    base_peer_lost(p);
}

int proc_lost_error(const struct adi3_comm *c, int source)
{
    for (int i = source < 0 ? 0 : source; i < (source < 0 ? c->peers : source + 1); i++)
        if (c->proc[i]->lost)
            return proc_error(c->proc[i], c->proc[i]->lost);
    return MPI_SUCCESS;
}

void proc_died(struct adi3_proc *p)
{
    assert(adi3_lock_held());
    if (p->dev && !p->lost) {
        p->lost = -ECONNRESET;
        p->dev->ops->del_peer(&p->peer);
        p->lost = 0;
    }
    proc_lost(p, -ECONNRESET);
}

/* The device of p, of another job, has nothing for it any more. */
static void drop_device(struct adi3_proc *p)
{
    const struct dev_ops *ops = p->dev->ops;

    if (!p->lost)
        ops->del_peer(&p->peer);
    if (ops->forget_peer)
        ops->forget_peer(&p->peer);
    if (!p->peer.node)
        free((char *) (uintptr_t) p->peer.endpoint);
    p->peer.endpoint = NULL;
    p->dev = NULL;
}

void proc_forget(struct adi3_proc *p)
{
    assert(adi3_lock_held() && proc_job_of(p) != &proc_own_job);
    if (p->dev)
        drop_device(p);
    jobs_begin_process(p);
}

/* ---- joining and leaving --------------------------------------------------------------------- */

/* Whether every process of the job is on this node and has opened a device for it. */
static bool all_here(void)
{
    bool all = adi3_node.count == adi3_job.size;

    for (int i = 0; i < adi3_node.count && all; i++)
        all = node_endpoint(&adi3_node, i, 0)[0]
              && (node_endpoint(&adi3_node, i, 1)[0] || adi3_job.size == 1);
    return all;
}

static int open_others(void)
{
    int err = devices_open(false);

    if (err)
        return err;
    others_open = true;
    if (adi3_node.count < adi3_job.size)
        err = business_card_publish();
    if (!err)
        err = node_barrier();
    return err;
}

void proc_open_others(void)
{
    assert(adi3_lock_held());
    proc_env.beyond = true;
    int err = devices_widen();
    if (!others_open) {
        int failed = devices_open(false);
        if (failed)
            err = failed;
        others_open = true;
    }
    if (err)
        (void) strncpy(why_not, adi3_error_text(err), sizeof why_not - 1);
}

/* Whether a device may reach the process of this node with this index. The process table is not
 * touched: most of them are never talked to. */
static bool in_reach(int index)
{
    struct dev_peer peer = { .job = &proc_own_job.dev,
                             .rank = node_rank(index),
                             .local = (int16_t) index,
                             .node = &adi3_node };
    bool reached = peer.rank == adi3_job.rank;

    for (int i = 0; i < adi3_ndevs && !reached; i++) {
        const struct adi3_dev *d = &adi3_devs[i];
        peer.endpoint = business_card_endpoint(&peer, NULL, d);
        reached = peer.endpoint && d->ops->cost(&peer) >= 0;
    }
    return reached;
}

/* Checked in MPI_Init: a receive from a process that no device reaches would wait for ever. The
 * business cards of processes on other nodes are not fetched for this: all devices that reach other
 * nodes count there. */
static int check_reach(void)
{
    bool beyond = adi3_node.count == adi3_job.size;
    int far = 0;

    for (int i = 0; i < adi3_node.count; i++) {
        const struct adi3_proc *p = node_proc(i);
        if (p && !in_reach(i))
            return unreachable_error(p);
    }
    for (int i = 0; i < adi3_ndevs; i++)
        beyond |= !adi3_devs[i].limits.node_only;
    while (!beyond && far < adi3_job.size && node_local(far) >= 0)
        far++;
    return beyond || far == adi3_job.size ? MPI_SUCCESS : unreachable_error(&adi3_procs[far]);
}

/* Opens devices of the node first, the others only if needed. */
static int open_all(void)
{
    int err = devices_open(true);

    if (!err)
        err = node_barrier();
    if (err)
        return err;
    if (!proc_reopened) {
        node_ready();
        others_needed = !all_here(); /* later, addresses of the first time are still there */
    }
    if (others_needed)
        err = open_others();
    if (err)
        return err;
    if (!adi3_ndevs)
        return adi3_error(MPI_ERR_OTHER, "STARLING_DEVICES=%s: no such device can run here",
                          adi3_setting_devices);
    return MPI_SUCCESS;
}

int proc_init(const struct dev_upcalls *up, bool threads)
{
    int err = devices_check_setting();

    assert(adi3_lock_held());
    if (!err)
        err = node_join(&adi3_job);
    if (err)
        return err;
    proc_own_job.dev.size = adi3_job.size;
    proc_own_job.business_card = business_card_of_launcher;
    proc_env.up = up;
    proc_env.job = &proc_own_job.dev;
    proc_env.rank = adi3_job.rank;
    proc_env.node = &adi3_node;
    proc_env.unlock = adi3_unlock_for;
    proc_env.lock = adi3_lock;
    proc_env.at_once = threads ? ADI3_UNLOCK_BYTES : 0;
    proc_env.peer_timeout_s =
        adi3_setting_peer_timeout > 0 ? (unsigned) adi3_setting_peer_timeout : 0;
    err = open_all();
    if (!err)
        err = business_card_take_keys();
    if (!err)
        err = jobs_init();
    if (!err)
        err = check_reach();
    return err;
}

static void close_all(void)
{
    base_devices_end();
    for (int i = 0; adi3_procs && i < proc_count(); i++) {
        struct adi3_proc *p = proc_at(i);
        if (!p->peer.job)
            continue;
        if (p->dev && proc_job_of(p) != &proc_own_job)
            drop_device(p);
        else if (p->dev && !p->lost)
            p->dev->ops->del_peer(&p->peer);
        if (!p->peer.node)
            free((char *) (uintptr_t) p->peer.endpoint);
        p->peer.endpoint = NULL;
        if (p->link) {
            free(p->link->host);
            p->link->host = NULL;
        }
        if (!p->peer.node)
            p->node = -1;
    }
    devices_close();
    others_open = false;
}

/* Business cards stay readable until all processes are in this call: one that still quiesces may
 * add a peer. */
int proc_reopen(void)
{
    assert(adi3_lock_held());
    close_all();
    proc_reopened++;
    int err = node_barrier();
    if (err)
        return err;
    int kept = base_segment_lost();
    err = node_barrier();
    if (err)
        return err;
    if (adi3_node.index == 0)
        node_rewind();
    err = node_barrier();
    if (!err)
        err = kept;
    if (!err)
        err = open_all();
    return err;
}

void proc_finalize(void)
{
    assert(adi3_lock_held());
    close_all();
    share_socket_close();
    neighbors_leave();
    jobs_free();
    node_table_leave();
    proc_reopened = 0;
    node_leave();
}
