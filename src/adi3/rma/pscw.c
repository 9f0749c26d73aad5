/* pscw.c — post, start, complete and wait (§11.5.2).
 *
 * MPI_Win_post sends a note to each process of its group, and MPI_Win_complete one back. Each side
 * counts the notes of the other and those that it has waited for; so a note may come before its
 * call. MPI_Win_start does not wait: the first operation does. */
#include <stdlib.h>
#include "rma_impl.h"

struct rma_pscw {
    int nstarted, nposted;
    int *started, *posted; /* ranks in the window */
    bool start_unchecked, post_unchecked;
};

static struct rma_pscw *pscw_of(struct adi3_win *w)
{
    if (!w->pscw)
        w->pscw = calloc(1, sizeof *w->pscw);
    return w->pscw;
}

static int no_memory(int n)
{
    return adi3_error(MPI_ERR_NO_MEM, "no memory for a group of %d processes", n);
}

/* The ranks in w of a group: a list that the caller frees; NULL for no members. */
static int ranks_in(const struct adi3_win *w, const struct adi3_group *g, int **ranks)
{
    size_t n = (size_t) g->size;
    int *all = n ? malloc(2 * n * sizeof *all) : NULL, bad = -1;

    *ranks = all;
    if (!n)
        return MPI_SUCCESS;
    if (!all)
        return no_memory(g->size);
    for (size_t i = 0; i < n; i++)
        all[n + i] = (int) i;
    int err = adi3_group_translate(g, g->size, all + n, w->comm->group, all);
    for (size_t i = 0; i < n && !err && bad < 0; i++)
        bad = all[i] == MPI_UNDEFINED ? (int) i : -1;
    if (!err && bad >= 0)
        err = adi3_error(MPI_ERR_GROUP, "rank %d of the group is not in the window", bad);
    if (err) {
        free(all);
        *ranks = NULL;
    }
    return err;
}

/* Makes the targets of all ranks, so that no later step can fail for memory. */
static int touch(struct adi3_win *w, const int *ranks, int n)
{
    for (int i = 0; i < n; i++)
        if (!rma_target(w, ranks[i]))
            return rma_no_target(w, ranks[i]);
    return MPI_SUCCESS;
}

static int begin(struct adi3_win *w, const struct adi3_group *g, int **ranks)
{
    int err = pscw_of(w) ? ranks_in(w, g, ranks) : no_memory(g->size);

    if (!err && (err = touch(w, *ranks, g->size))) {
        free(*ranks);
        *ranks = NULL;
    }
    return err;
}

static int wrong(const char *text) { return adi3_error(MPI_ERR_RMA_SYNC, "%s", text); }

/* ---- notes ----------------------------------------------------------------------------------- */

void rma_posted(struct adi3_win *w, struct rma_target *t)
{
    t->posts++;
    thread_signal_waiters(w);
}

void rma_completed(struct adi3_win *w, struct rma_target *t)
{
    t->completes++;
    thread_signal_waiters(w);
}

static int tell(struct adi3_win *w, struct rma_target *t, enum rma_note note)
{
    const struct rma_note_fields none = { 0 };

    if (t->rank != w->comm->rank)
        return rma_note(w, t->rank, note, &none);
    (note == RMA_NOTE_POST ? rma_posted : rma_completed)(w, t);
    return MPI_SUCCESS;
}

static int tell_all(struct adi3_win *w, const int *ranks, int n, enum rma_note note)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < n; i++) {
        int bad = tell(w, rma_target(w, ranks[i]), note);
        err = err ? err : bad;
    }
    return err;
}

static int await(struct adi3_win *w, const struct rma_target *t, const int *count, const char *what)
{
    struct adi3_wait wait = { .on = w, .what = what };
    int err = MPI_SUCCESS;

    while (*count <= 0 && !err)
        err = rma_wait_turn(w, &wait, t->rank);
    adi3_wait_end(&wait);
    return err;
}

int pscw_await_post(struct adi3_win *w, struct rma_target *t)
{
    int err = t->posts > 0 || w->pscw->start_unchecked ? MPI_SUCCESS
                                                       : await(w, t, &t->posts, "MPI_Win_post");

    if (!err)
        t->quick.held = RMA_POSTED;
    return err;
}

/* ---- access ---------------------------------------------------------------------------------- */

int adi3_win_start(struct adi3_win *w, struct adi3_group *g, int assertions)
{
    int *ranks = NULL;

    assert(adi3_lock_held());
    if (w->access > ADI3_EPOCH_FENCE || (w->access == ADI3_EPOCH_FENCE && w->fence_used))
        return wrong("MPI_Win_start within another access epoch");
    int err = begin(w, g, &ranks);
    if (err)
        return err;
    w->pscw->started = ranks;
    w->pscw->nstarted = g->size;
    w->pscw->start_unchecked = assertions & MPI_MODE_NOCHECK;
    for (int i = 0; i < g->size; i++)
        rma_target(w, ranks[i])->started = true;
    w->access = ADI3_EPOCH_START;
    return MPI_SUCCESS;
}

/* Operations by messages are before the note in the order of packets, others are done. */
int adi3_win_complete(struct adi3_win *w)
{
    struct rma_pscw *x = w->pscw;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (w->access != ADI3_EPOCH_START)
        return wrong("MPI_Win_complete without MPI_Win_start");
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < x->nstarted; i++) {
        struct rma_target *t = rma_target(w, x->started[i]);
        int bad = t->path == RMA_MESSAGES ? rma_flush_local(w, t) : MPI_SUCCESS;
        err = err ? err : bad;
        t->started = false;
        t->quick.held = RMA_NOT_HELD;
        if (!x->start_unchecked)
            t->posts--;
    }
    int bad = tell_all(w, x->started, x->nstarted, RMA_NOTE_COMPLETE);
    free(x->started);
    x->started = NULL;
    w->access = ADI3_EPOCH_NONE;
    return err ? err : bad;
}

/* ---- exposure -------------------------------------------------------------------------------- */

int adi3_win_post(struct adi3_win *w, struct adi3_group *g, int assertions)
{
    int *ranks = NULL;

    assert(adi3_lock_held());
    if (w->exposure != ADI3_EPOCH_NONE)
        return wrong("MPI_Win_post without MPI_Win_wait for the one before");
    int err = begin(w, g, &ranks);
    if (err)
        return err;
    w->pscw->posted = ranks;
    w->pscw->nposted = g->size;
    w->exposure = ADI3_EPOCH_POST;
    atomic_thread_fence(memory_order_seq_cst);
    return assertions & MPI_MODE_NOCHECK ? MPI_SUCCESS : tell_all(w, ranks, g->size, RMA_NOTE_POST);
}

static void end_exposure(struct adi3_win *w)
{
    struct rma_pscw *x = w->pscw;

    for (int i = 0; i < x->nposted; i++)
        rma_target(w, x->posted[i])->completes--;
    free(x->posted);
    x->posted = NULL;
    w->exposure = ADI3_EPOCH_NONE;
    atomic_thread_fence(memory_order_seq_cst);
}

int adi3_win_wait(struct adi3_win *w)
{
    struct rma_pscw *x = w->pscw;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    if (w->exposure != ADI3_EPOCH_POST)
        return wrong("MPI_Win_wait without MPI_Win_post");
    for (int i = 0; i < x->nposted; i++) {
        const struct rma_target *t = rma_target(w, x->posted[i]);
        int bad = await(w, t, &t->completes, "MPI_Win_complete");
        err = err ? err : bad;
    }
    end_exposure(w);
    return err;
}

static bool all_completed(struct adi3_win *w)
{
    const struct rma_pscw *x = w->pscw;

    for (int i = 0; i < x->nposted; i++)
        if (rma_target(w, x->posted[i])->completes <= 0)
            return false;
    return true;
}

int adi3_win_test(struct adi3_win *w, bool *done)
{
    assert(adi3_lock_held());
    if (w->exposure != ADI3_EPOCH_POST)
        return wrong("MPI_Win_test without MPI_Win_post");
    if (!(*done = all_completed(w)))
        (void) progress_poll();
    *done = *done || all_completed(w);
    if (*done)
        end_exposure(w);
    return MPI_SUCCESS;
}

void pscw_free(struct adi3_win *w)
{
    if (w->pscw) {
        free(w->pscw->started);
        free(w->pscw->posted);
    }
    free(w->pscw);
    w->pscw = NULL;
}
