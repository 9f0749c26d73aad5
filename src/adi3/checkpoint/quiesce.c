/* quiesce.c — brings the whole job to a state where nothing is under way, and goes on from there.
 *
 * Behind the last packet for a peer goes a marker. From then on a device of our own stands in the
 * place of the peer's and holds back what it is given, so that the protocols need not know and the
 * paths of messages pay nothing. When each peer's marker is in, all that they sent is here. One
 * that we have not heard of may still be calling: therefore a barrier of the launcher ends it, for
 * which nobody is ready who still waits for a marker of ours.
 *
 * Requests, posted receives and unexpected messages outlive all this, also new devices. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include "checkpoint.h"
#include "p2p.h"

static uint64_t number; /* the one under way or over: what a marker says */
static bool quiesced;
static int held; /* ops in all queues */

/* ---- a device that holds back ---------------------------------------------------------------- */

static int refuse(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    (void) to, (void) pkt, (void) data;
    return DEV_AGAIN;
}

static void keep(struct dev_peer *to, struct dev_send *op)
{
    struct adi3_proc *p = proc_of(to);

    op->next = NULL;
    *(p->held ? p->held_end : &p->held) = op;
    p->held_end = &op->next;
    held++;
}

static void del_behind(struct dev_peer *peer) { proc_of(peer)->behind->ops->del_peer(peer); }

static const struct dev_ops ops = {
    .name = "quiesce", .abi = DEV_ABI, .del_peer = del_behind, .inject = refuse, .send = keep
};
static struct adi3_dev hold = { .ops = &ops };

static void hold_back(struct adi3_proc *p)
{
    p->behind = p->dev;
    p->dev = &hold;
    p->inject_below = 0;
}

/* Hands over what was held. What done() sends meanwhile is held too, and comes last. */
static void let_go(struct adi3_proc *p, struct adi3_dev *dev)
{
    while (p->held) {
        struct dev_send *op = p->held;
        p->held = op->next;
        held--;
        if (p->lost)
            op->done(op, p->lost);
        else
            dev->ops->send(&p->peer, op);
    }
    p->dev = dev;
    p->behind = NULL;
    if (!p->lost)
        p->inject_below = dev->limits.inject_max + 1;
}

static void peer_added(struct adi3_proc *p)
{
    if (quiesced)
        hold_back(p);
}

/* ---- markers --------------------------------------------------------------------------------- */

/* A marker says which quiesce it belongs to. */
struct fields {
    uint64_t unused[3];
    uint64_t number;
};
P2P_FIELDS_FIT(struct fields);

/* A peer may be one quiesce ahead: it has left the barrier already, and begun anew. */
static int marked(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_proc *p = proc_of(from);
    struct fields fields;

    (void) payload;
    p2p_get_fields(pkt, &fields, sizeof fields);
    if (fields.number <= p->marked || fields.number < number || fields.number > number + 1)
        return p2p_refuse(from, pkt);
    p->marked = fields.number;
    return 0;
}

/* The last packet for p. */
static void mark(struct adi3_proc *p)
{
    const struct fields fields = { .number = number };
    struct dev_pkt marker = { .type = PKT_QUIESCE };

    p2p_put_fields(&marker, &fields, sizeof fields);
    (void) p2p_control(&p->peer, &marker); /* an error loses the peer */
    if (!p->lost)
        hold_back(p);
}

static bool reads_or_sends(void) { return !base_quiet() || p2p_with_devices() > held; }

/* Marks whom we talk to; true when nothing is under way between us and any of them. */
static bool quiet(void)
{
    bool all = true;

    for (int i = 0; i < adi3_job.size; i++) {
        struct adi3_proc *p = &adi3_procs[i];
        if (!p->dev || p->lost)
            continue;
        if (!p->behind)
            mark(p);
        all &= p->lost || p->marked >= number;
    }
    return all && !reads_or_sends();
}

/* Somebody called who was not known when we were quiet: he gets our marker for his, when nothing of
 * his is read any more. */
static void mark_callers(void)
{
    for (int i = 0; i < adi3_job.size && !reads_or_sends(); i++) {
        struct adi3_proc *p = &adi3_procs[i];
        if (p->dev && !p->lost && !p->behind && p->marked == number)
            mark(p);
    }
}

/* Looks after the devices every millisecond until all are quiet. */
static int meet(void)
{
    struct pollfd launcher = { .fd = pmi_fd(), .events = POLLIN };
    int bad = adi3_job.singleton ? 0 : pmi_barrier_start();

    while (!adi3_job.singleton && !bad && !launcher.revents) {
        if (poll(&launcher, 1, progress_poll() ? 0 : 1) < 0 && errno != EINTR)
            return adi3_error(MPI_ERR_OTHER, "waiting for the launcher: %s", strerror(errno));
        mark_callers();
    }
    if (!adi3_job.singleton && !bad)
        bad = pmi_barrier_finish();
    return bad ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : MPI_SUCCESS;
}

static int anybody_lost(void)
{
    for (int i = 0; proc_any_lost && i < adi3_job.size; i++)
        if (adi3_procs[i].lost)
            return proc_error(&adi3_procs[i], adi3_procs[i].lost);
    return MPI_SUCCESS;
}

/* ---- what is called -------------------------------------------------------------------------- */

int adi3_quiesce(void)
{
    struct adi3_wait w = { .on = NULL };
    int err;

    number++;
    while (!quiet() && !proc_any_lost)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    if (!(err = anybody_lost()))
        err = meet();
    while (!err && reads_or_sends()) /* of callers; they have heard us */
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    quiesced = !err;
    if (err)
        adi3_continue();
    return err;
}

void adi3_continue(void)
{
    quiesced = false;
    for (int i = 0; i < adi3_job.size; i++)
        if (adi3_procs[i].behind)
            let_go(&adi3_procs[i], adi3_procs[i].behind);
}

/* All closes before anything opens, and all has opened before anybody talks. */
int adi3_reopen(void)
{
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));)
        if (r->kind == ADI3_SEND && r->awaits == PKT_CTS)
            p2p_unexpose(r);
    int err = proc_reopen();

    quiesced = false;
    queues_forget_exposed();
    for (int i = 0; i < adi3_job.size && !err; i++) {
        struct adi3_proc *p = &adi3_procs[i];
        if (!p->behind)
            continue;
        if (!p->lost && (err = proc_add(p)))
            break;
        let_go(p, p->lost ? p->behind : p->dev);
    }
    return err;
}

int checkpoint_init(void)
{
    static const struct p2p_packet packet = { .name = "QUIESCE", .whole = marked };
    static const struct base_hooks hooks = { .name = "checkpoint", .peer_added = peer_added };
    int err = p2p_packet_add(PKT_QUIESCE, &packet);

    return err ? err : base_hooks_add(&hooks);
}
