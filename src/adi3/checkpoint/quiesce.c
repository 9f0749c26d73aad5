/* quiesce.c — brings the whole job to a state where no message is on its way, and goes on from
 * there.
 *
 * First all processes find out together whether they can (consensus.c). Then each goes on as
 * follows.
 *
 * A process sends a marker behind its last packet for each peer that it has talked with. From then
 * on the device `hold` stands in the place of the peer's device and holds back the ops that it is
 * given. So protocols need not know of it, and messages cost no more than before. When the markers
 * of all these peers have come, all packets that they sent are here.
 *
 * A peer that this process has never talked with may have sent its first packet just before. So a
 * barrier of the launcher ends the quiesce. That peer does not enter it before it has our marker,
 * and we send that when its first packet comes, while we are in the barrier.
 *
 * Requests, posted receives and unexpected messages stay, also when devices are opened anew. */
#include "adi3/checkpoint/checkpoint_impl.h"
#include "adi3/p2p/p2p.h"

static uint64_t number; /* of the last quiesce; its markers carry it */
static bool quiesced;
static int held; /* ops that are held back, for all peers */

/* ---- the device that holds back -------------------------------------------------------------- */

static int inject_refuse(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    (void) to, (void) pkt, (void) data;
    return DEV_AGAIN;
}

static void hold_op(struct dev_peer *to, struct dev_send *op)
{
    struct proc_link *l = proc_of(to)->link;

    op->next = NULL;
    *(l->held ? l->held_end : &l->held) = op;
    l->held_end = &op->next;
    held++;
}

static void del_behind(struct dev_peer *peer) { proc_device(proc_of(peer))->del_peer(peer); }

static const struct dev_ops ops = { .name = "quiesce",
                                    .abi = DEV_ABI,
                                    .del_peer = del_behind,
                                    .inject = inject_refuse,
                                    .send = hold_op };
static struct adi3_dev hold = { .ops = &ops };

static void hold_back(struct adi3_proc *p)
{
    p->link->behind = p->dev;
    p->dev = &hold;
    p->inject_below = 0;
}

/* Gives the ops that were held back to dev. Ops that done() sends meanwhile are held too, and come
 * last. */
static void release_held(struct adi3_proc *p, struct adi3_dev *dev)
{
    while (p->link->held) {
        struct dev_send *op = p->link->held;
        p->link->held = op->next;
        held--;
        if (p->lost)
            op->done(op, p->lost);
        else
            dev->ops->send(&p->peer, op);
    }
    p->dev = dev;
    p->link->behind = NULL;
    if (!p->lost)
        p->inject_below = dev->limits.inject_max + 1;
}

static void peer_added(struct adi3_proc *p)
{
    if (quiesced)
        hold_back(p);
}

/* ---- markers --------------------------------------------------------------------------------- */

/* What the header of a marker carries. */
struct fields {
    uint64_t unused[3];
    uint64_t number;
};
P2P_FIELDS_FIT(struct fields);

/* A peer may be one quiesce ahead: it may have left the barrier and begun the next one. */
static int receive_marker(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_proc *p = proc_of(from);
    struct fields fields;

    (void) payload;
    p2p_get_fields(pkt, &fields, sizeof fields);
    if (fields.number <= p->link->marked || fields.number < number || fields.number > number + 1)
        return p2p_refuse(from, pkt);
    p->link->marked = fields.number;
    return 0;
}

/* Sends the last packet to p. */
static void send_marker(struct adi3_proc *p)
{
    const struct fields fields = { .number = number };
    struct dev_pkt marker = { .type = PKT_QUIESCE };

    p2p_put_fields(&marker, &fields, sizeof fields);
    (void) p2p_control(&p->peer, &marker); /* an error: the peer is lost */
    if (!p->lost)
        hold_back(p);
}

/* Is a read, or an op that is not held back, with a device? */
static bool reads_or_sends(void) { return !base_quiet() || p2p_with_devices() > held; }

/* Sends markers to the peers that this process has talked with. True when nothing is on its way
 * between it and any of them. */
static bool is_traffic_drained(void)
{
    bool all = true;

    for (int i = 0; i < proc_count(); i++) {
        struct adi3_proc *p = proc_at(i);
        if (!p->dev || p->lost)
            continue;
        if (!p->link->behind)
            send_marker(p);
        all &= p->lost || p->link->marked >= number;
    }
    return all && !reads_or_sends();
}

/* A peer first talks during the quiesce: sends it our marker in reply to its own, once none of its
 * messages is being read any more. */
static void mark_newcomers(void)
{
    for (int i = 0; i < proc_count() && !reads_or_sends(); i++) {
        struct adi3_proc *p = proc_at(i);
        if (p->dev && !p->lost && !p->link->behind && p->link->marked == number)
            send_marker(p);
    }
}

/* The launcher's barrier. Polls the devices every millisecond until all processes are in it. */
static int quiesce_barrier(void)
{
    if (adi3_job.singleton)
        return MPI_SUCCESS;
    int err = node_barrier_start();
    for (bool over = false; !err && !over;) {
        err = node_barrier_look(progress_poll() ? 0 : 1, &over);
        mark_newcomers();
    }
    if (!err)
        err = node_barrier_finish();
    return err;
}

/* ---- the calls ------------------------------------------------------------------------------- */

int adi3_quiesce(void)
{
    struct adi3_wait w = { .on = NULL };

    assert(adi3_lock_held() && !quiesced && held == 0);
    int err = quiesce_consensus();
    if (err)
        return err;
    async_hold();
    number++;
    while (!is_traffic_drained() && !quiesce_lost()) /* processes of other jobs may be lost */
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    err = quiesce_lost();
    if (!err)
        err = quiesce_barrier();
    while (!err && reads_or_sends()) /* of newcomers, which have our marker */
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    quiesced = !err;
    if (err)
        adi3_continue();
    return err;
}

void adi3_continue(void)
{
    assert(adi3_lock_held());
    quiesced = false;
    for (int i = 0; i < proc_count(); i++)
        if (proc_behind(proc_at(i)))
            release_held(proc_at(i), proc_at(i)->link->behind);
    async_resume();
}

/* All devices are closed before any is opened, and opened in all processes before any sends. */
int adi3_reopen(void)
{
    assert(adi3_lock_held() && quiesced);
    for (struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));)
        if (r->kind == ADI3_SEND && r->awaits == PKT_CTS)
            p2p_unexpose(r);
    int err = proc_reopen();

    quiesced = false;
    queues_forget_exposed();
    for (int i = 0; i < proc_count() && !err; i++) {
        struct adi3_proc *p = proc_at(i);
        if (!proc_behind(p))
            continue;
        if (!p->lost)
            err = proc_add(p);
        if (err)
            break;
        release_held(p, p->lost ? p->link->behind : p->dev);
    }
    async_resume();
    return err;
}

int checkpoint_init(void)
{
    static const struct p2p_packet packet = { .name = "QUIESCE", .whole = receive_marker };
    static const struct base_hooks hooks = { .name = "checkpoint", .peer_added = peer_added };
    int err = p2p_packet_add(PKT_QUIESCE, &packet);

    if (!err)
        err = base_hooks_add(&hooks);
    return err;
}
