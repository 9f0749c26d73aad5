/* pscw.c — post, start, complete and wait (§11.5.2).
 *
 * MPI_Win_post says so to each process of its group, and MPI_Win_complete answers: in shared memory
 * to processes of the node (signal.c), else by sync packets. Each side counts the sync packets of
 * the other and those that it has waited for; so a sync packet may come before its call. A complete
 * behind operations by messages is a sync packet, too. MPI_Win_start does not wait: the first
 * operation does, and within a node MPI_Win_complete where there was none. */
#include <stdlib.h>
#include "adi3/rma/epoch/epoch_impl.h"

enum { WAITS_PER_POLL = 64 };

struct epoch {
    struct adi3_group *group; /* of these targets: the next call may have it, too; NULL: none */
    struct rma_target **target;
    int n;
    bool unchecked; /* MPI_MODE_NOCHECK */
};

struct rma_pscw {
    struct epoch access, exposure; /* the last ones, when none is open */
    unsigned waits;                /* calls of MPI_Win_wait */
};

static void epoch_forget_group(struct epoch *e)
{
    adi3_group_release(e->group);
    e->group = NULL;
    e->n = 0;
}

static int add_member(struct adi3_win *w, const struct adi3_group *g, struct epoch *e)
{
    int rank, err = adi3_group_translate(g, 1, &e->n, w->comm->group, &rank);

    if (err)
        return err;
    if (rank == MPI_UNDEFINED)
        return adi3_error(MPI_ERR_GROUP, "rank %d of the group is not in the window", e->n);
    if (!(e->target[e->n] = rma_target(w, rank)))
        return rma_no_target(w, rank);
    rma_signal_prepare(w, e->target[e->n]);
    e->n++;
    return MPI_SUCCESS;
}

/* Makes the targets of all ranks, so that no later step can fail for memory. */
static int set_members(struct adi3_win *w, struct adi3_group *g, struct epoch *e)
{
    int err = MPI_SUCCESS;

    epoch_forget_group(e);
    struct rma_target **room = realloc(e->target, ((size_t) g->size + 1) * sizeof(*room));
    if (!room)
        return adi3_no_memory("for a group of %d processes", g->size);
    e->target = room;
    for (int i = 0; i < g->size && !err; i++)
        err = add_member(w, g, e);
    if (err) {
        epoch_forget_group(e);
        return err;
    }
    e->group = g;
    g->refs++;
    return MPI_SUCCESS;
}

static int pscw_epoch_begin(struct adi3_win *w, struct adi3_group *g, struct epoch *e,
                            int assertions)
{
    e->unchecked = assertions & MPI_MODE_NOCHECK;
    return e->group == g ? MPI_SUCCESS : set_members(w, g, e);
}

static struct rma_pscw *pscw_of(struct adi3_win *w)
{
    if (!w->pscw)
        w->pscw = calloc(1, sizeof *w->pscw);
    return w->pscw;
}

/* ---- sync packets ---------------------------------------------------------------------------- */

static int post_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    (void) w, (void) f;
    t->posts++;
    return MPI_SUCCESS;
}

static int complete_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    (void) w, (void) f;
    t->completes++;
    return MPI_SUCCESS;
}

static int pscw_init(void)
{
    static const struct rma_sync_row post = { .name = "POST", .come = post_comes };
    static const struct rma_sync_row complete = { .name = "COMPLETE", .come = complete_comes };
    int err = rma_sync_add(RMA_SYNC_POST, &post);

    if (!err)
        err = rma_sync_add(RMA_SYNC_COMPLETE, &complete);
    return err;
}

static int pscw_packet_send(struct adi3_win *w, const struct rma_target *t, enum rma_sync what)
{
    const struct rma_sync_fields none = { 0 };

    return rma_sync_send(w, t->rank, what, &none);
}

/* ---- access ---------------------------------------------------------------------------------- */

int pscw_await_post(struct adi3_win *w, struct rma_target *t)
{
    int err = w->pscw->access.unchecked ? MPI_SUCCESS : rma_await_signal(w, t, RMA_SIGNAL_POST);

    if (!err)
        t->quick.access = RMA_POSTED;
    return err;
}

int adi3_win_start(struct adi3_win *w, struct adi3_group *g, int assertions)
{
    struct rma_pscw *x = pscw_of(w);

    assert(adi3_lock_held());
    if (w->access > ADI3_EPOCH_FENCE || (w->access == ADI3_EPOCH_FENCE && w->fence_used))
        return rma_wrong(w, -1, "MPI_Win_start within another access epoch");
    int err = x ? pscw_epoch_begin(w, g, &x->access, assertions)
                : adi3_no_memory("for a group of %d processes", g->size);
    if (err)
        return err;
    for (int i = 0; i < x->access.n; i++) {
        struct rma_target *t = x->access.target[i];
        t->started = true;
        if (x->access.unchecked || rma_has_signal(t, RMA_SIGNAL_POST))
            t->quick.access = RMA_POSTED;
    }
    w->access = ADI3_EPOCH_START;
    return MPI_SUCCESS;
}

/* Operations by messages are before the sync packet in the order of packets, others are done. */
__attribute__((noinline)) static int complete_by_packet(struct adi3_win *w, struct rma_target *t)
{
    int err = t->batch ? rma_batch_run(w, t) : rma_flush_local(w, t);
    int bad = pscw_packet_send(w, t, RMA_SYNC_COMPLETE);

    if (!err)
        err = bad;
    return err;
}

static int target_complete(struct adi3_win *w, struct rma_target *t)
{
    int err = MPI_SUCCESS;

    if (!t->quick.access && t->signals)
        err = pscw_await_post(w, t);
    rma_forget_accesses(t);
    t->started = false;
    t->quick.access = RMA_NO_ACCESS;
    if (err)
        return err;
    if (!w->pscw->access.unchecked)
        rma_take_signal(t, RMA_SIGNAL_POST);
    if (!t->to || t->path == RMA_MESSAGES)
        return complete_by_packet(w, t);
    err = t->batch ? rma_batch_run(w, t) : MPI_SUCCESS;
    rma_signal(w, t, RMA_SIGNAL_COMPLETE);
    return err;
}

int adi3_win_complete(struct adi3_win *w)
{
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (w->access != ADI3_EPOCH_START)
        return rma_wrong(w, -1, "MPI_Win_complete without MPI_Win_start");
    for (int i = 0; i < w->pscw->access.n; i++) {
        int bad = target_complete(w, w->pscw->access.target[i]);
        if (!err)
            err = bad;
    }
    w->access = ADI3_EPOCH_NONE;
    return err;
}

/* ---- exposure -------------------------------------------------------------------------------- */

static int exposure_post(struct adi3_win *w, struct rma_target *t)
{
    if (!t->to)
        return pscw_packet_send(w, t, RMA_SYNC_POST);
    rma_signal(w, t, RMA_SIGNAL_POST);
    return MPI_SUCCESS;
}

int adi3_win_post(struct adi3_win *w, struct adi3_group *g, int assertions)
{
    struct rma_pscw *x = pscw_of(w);

    assert(adi3_lock_held());
    if (w->exposure != ADI3_EPOCH_NONE)
        return rma_wrong(w, -1, "MPI_Win_post without MPI_Win_wait for the one before");
    int err = x ? pscw_epoch_begin(w, g, &x->exposure, assertions)
                : adi3_no_memory("for a group of %d processes", g->size);
    if (err)
        return err;
    w->exposure = ADI3_EPOCH_POST;
    for (int i = 0; i < x->exposure.n && !x->exposure.unchecked; i++) {
        int bad = exposure_post(w, x->exposure.target[i]);
        if (!err)
            err = bad;
    }
    return err;
}

/* Epochs in shared memory alone move messages now and then. */
int adi3_win_wait(struct adi3_win *w)
{
    struct rma_pscw *x = w->pscw;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (w->exposure != ADI3_EPOCH_POST)
        return rma_wrong(w, -1, "MPI_Win_wait without MPI_Win_post");
    if (w->polls || x->waits++ % WAITS_PER_POLL == 0)
        (void) progress_poll();
    for (int i = 0; i < x->exposure.n; i++) {
        struct rma_target *t = x->exposure.target[i];
        int bad = rma_await_signal(w, t, RMA_SIGNAL_COMPLETE);
        if (!bad)
            rma_take_signal(t, RMA_SIGNAL_COMPLETE);
        if (!err)
            err = bad;
    }
    w->exposure = ADI3_EPOCH_NONE;
    return err;
}

static bool all_completed(const struct epoch *e)
{
    for (int i = 0; i < e->n; i++)
        if (!rma_has_signal(e->target[i], RMA_SIGNAL_COMPLETE))
            return false;
    return true;
}

int adi3_win_test(struct adi3_win *w, bool *done)
{
    const struct epoch *e = w->pscw ? &w->pscw->exposure : NULL;

    assert(adi3_lock_held());
    if (w->exposure != ADI3_EPOCH_POST)
        return rma_wrong(w, -1, "MPI_Win_test without MPI_Win_post");
    if (!(*done = all_completed(e)))
        (void) adi3_poll();
    adi3_win_polled(w);
    *done = *done || all_completed(e);
    if (!*done)
        return MPI_SUCCESS;
    for (int i = 0; i < e->n; i++)
        rma_take_signal(e->target[i], RMA_SIGNAL_COMPLETE);
    w->exposure = ADI3_EPOCH_NONE;
    return MPI_SUCCESS;
}

static void window_free(struct adi3_win *w)
{
    if (w->pscw) {
        epoch_forget_group(&w->pscw->access);
        epoch_forget_group(&w->pscw->exposure);
        free(w->pscw->access.target);
        free(w->pscw->exposure.target);
    }
    free(w->pscw);
    w->pscw = NULL;
}

const struct rma_hooks rma_pscw_hooks = { .name = "post and start",
                                          .init = pscw_init,
                                          .window_free = window_free };
