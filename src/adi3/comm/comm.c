/* comm.c — communicators: one group or two, and the contexts of their messages. */
#include <stdlib.h>
#include <string.h>
#include "adi3/comm/comm_impl.h"

void (*adi3_comm_ends)(struct adi3_comm *c);

enum { WORLD_CTX = 0, SELF_CTX = 2 };

/* The communicator takes over the queues of its context. Messages that came before were accepted
 * without a look at their senders: those with a rank that is not the sender's are discarded. */
static void take_over(struct adi3_queues *q, struct adi3_comm *c)
{
    struct match_link *next;

    q->comm = c;
    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = next) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        next = l->next;
        if (!comm_has_sender(c, u->pkt.rank, u->from))
            queues_discard(q, u);
    }
}

/* Whether the members of g all share memory: then each is in the segments of their jobs here. */
static bool shares_memory(const struct adi3_group *g)
{
    for (int i = 0; i < g->size; i++)
        if (!proc_node(g->proc[i]))
            return false;
    return true;
}

/* Takes references to the groups, also on error. */
static int set_up(struct adi3_comm *c, struct adi3_group *g, struct adi3_group *remote)
{
    MPI_Comm handle = c->handle;

    *c = (struct adi3_comm) { .handle = handle,
                              .refs = 1,
                              .rank = g->rank,
                              .size = g->size,
                              .peers = remote ? remote->size : g->size,
                              .group = g,
                              .remote = remote,
                              .errhandler = MPI_ERRORS_ARE_FATAL };
    g->refs++;
    if (remote)
        remote->refs++;
    c->proc = group_procs(remote ? remote : g);
    if (!c->proc)
        return adi3_no_memory("for a communicator of %d processes", c->peers);
    c->together = !remote && shares_memory(g);
    c->oversubscribed = c->together && node_crowded(c, NULL, c->size);
    return base_comm_made(c);
}

static void tear_down(struct adi3_comm *c)
{
    assert(adi3_lock_held());
    if (adi3_comm_ends)
        adi3_comm_ends(c);
    base_comm_ends(c);
    if (c->queue[0]) {
        queues_drop(c->recv_ctx);
        queues_drop(c->recv_ctx + 1);
    }
    if (c->local)
        adi3_comm_release(c->local);
    block_release(c);
    adi3_group_release(c->group);
    adi3_group_release(c->remote);
}

int adi3_comm_make(struct adi3_group *g, struct adi3_group *remote, struct adi3_comm **made)
{
    MPI_Comm handle;
    struct adi3_comm *c = adi3_new(&adi3_comms, &handle);

    assert(adi3_lock_held());
    if (!c)
        return adi3_no_memory("for a communicator of %d processes", g->size);
    c->handle = handle;
    int err = set_up(c, g, remote);
    if (err)
        adi3_comm_release(c);
    else
        *made = c;
    return err;
}

int adi3_comm_open(struct adi3_comm *c, uint32_t recv_ctx, uint32_t send_ctx)
{
    struct adi3_queues *messages = queues_of(recv_ctx), *collective = queues_of(recv_ctx + 1);

    assert(adi3_lock_held() && !c->queue[0] && !(recv_ctx & 1) && !(send_ctx & 1));
    if (!messages || !collective)
        return adi3_no_memory("for a communicator of %d processes", c->peers);
    if (messages->comm || collective->comm)
        return adi3_error(MPI_ERR_OTHER, "context id %u of a new communicator is another one's",
                          recv_ctx);
    c->recv_ctx = recv_ctx;
    c->send_ctx = send_ctx;
    c->queue[0] = messages;
    c->queue[1] = collective;
    take_over(messages, c);
    take_over(collective, c);
    adi3_comm_set_hints(c, c->hints);
    return MPI_SUCCESS;
}

void adi3_comm_set_hints(struct adi3_comm *c, uint8_t hints)
{
    int never = (hints & ADI3_NO_ANY_SOURCE ? MATCH_ANY_SOURCE : 0)
                | (hints & ADI3_NO_ANY_TAG ? MATCH_ANY_TAG : 0);

    assert(adi3_lock_held());
    c->hints = hints;
    if (c->queue[0]) /* else adi3_comm_open() does it */
        match_set_hints(c->queue[0], never);
}

int adi3_comm_new(struct adi3_comm *c, const struct adi3_subgroup *t, uint32_t ctx,
                  struct adi3_comm **made)
{
    struct adi3_group *g = c->group;
    struct adi3_comm *n = NULL; /* gcc cannot see that it is set */

    if (!t->ranks)
        g->refs++;
    else if (!(g = adi3_group_incl(g, t->size, t->ranks)))
        return adi3_no_memory("for a communicator of %d processes", t->size);
    int err = adi3_comm_make(g, NULL, &n);
    adi3_group_release(g);
    if (err)
        return err;
    block_share(c->local ? c->local : c, n);
    err = adi3_comm_open(n, ctx, ctx);
    if (err)
        adi3_comm_release(n);
    else
        *made = n;
    return err;
}

static void last_reference(struct adi3_comm *c)
{
    assert(c != &adi3_world && c != &adi3_self && c->refs == 0);
    tear_down(c);
    adi3_free(&adi3_comms, c);
}

static int set_up_builtin(struct adi3_comm *c, MPI_Comm handle, int size, int first, uint32_t ctx)
{
    struct adi3_group *g = adi3_group_strided(size, first, 1);

    if (!g)
        return adi3_no_memory("for a communicator of %d processes", size);
    c->handle = handle;
    int err = set_up(c, g, NULL);
    adi3_group_release(g);
    if (!err)
        err = adi3_comm_open(c, ctx, ctx);
    return err;
}

static void comms_finalize(void)
{
    queues_ending();
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));) {
        if (c->local)
            adi3_comm_release(c->local);
        c->local = NULL; /* it may be the next one to be freed */
    }
    for (struct adi3_comm *c; (c = adi3_next(&adi3_comms, NULL));) {
        c->refs = 1;
        adi3_comm_release(c);
    }
    tear_down(&adi3_world);
    tear_down(&adi3_self);
    queues_finalize();
}

int comm_init(void)
{
    static const struct base_hooks hooks = { .name = "comm", .finalize = comms_finalize };
    int err = base_hooks_add(&hooks);

    if (!err)
        err = queues_init();
    adi3_comm_last = last_reference;
    context_init();
    if (!err)
        err = set_up_builtin(&adi3_world, MPI_COMM_WORLD, adi3_job.size, 0, WORLD_CTX);
    if (!err)
        err = set_up_builtin(&adi3_self, MPI_COMM_SELF, 1, adi3_job.rank, SELF_CTX);
    return err;
}
