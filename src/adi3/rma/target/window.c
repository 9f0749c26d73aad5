/* window.c — the table of windows, and how a window is opened, left and freed. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/target/target_impl.h"
#include "platform/golden_ratio.h"

enum { BUCKETS = 256 }; /* of windows by context id */

static int win_handles(const void *w) { return !((const struct adi3_win *) w)->left; }

struct adi3_pool adi3_wins = ADI3_POOL_OF(ADI3_WIN, struct adi3_win, win_handles);
static struct adi3_win *bucket[BUCKETS];

static struct adi3_win **bucket_of(uint32_t ctx) { return &bucket[ctx * GOLDEN_RATIO_32 >> 24]; }

struct adi3_win *rma_win_of(uint32_t ctx)
{
    struct adi3_win *w = *bucket_of(ctx);

    while (w && w->comm->recv_ctx != ctx)
        w = w->next;
    return w;
}

struct adi3_win *adi3_win_get(MPI_Win handle) { return adi3_get(&adi3_wins, handle); }

int adi3_win_new(struct adi3_comm *c, struct adi3_win **made)
{
    MPI_Win handle;
    struct rma_target ***targets = rma_targets_new(c->size);
    struct adi3_win *w = targets ? adi3_new(&adi3_wins, &handle) : NULL;

    assert(adi3_lock_held());
    if (!w) {
        free(targets);
        return adi3_no_memory("for a window");
    }
    *w = (struct adi3_win) { .handle = handle,
                             .model = MPI_WIN_UNIFIED,
                             .disp_unit = 1,
                             .comm = c,
                             .infos = ADI3_WIN_ORDERED,
                             .align = ADI3_WIN_ALIGN,
                             .yields = adi3_node.oversubscribed,
                             .targets = targets,
                             .next = *bucket_of(c->recv_ctx) };
    *bucket_of(c->recv_ctx) = w;
    c->owner = &w->handle;
    *made = w;
    return MPI_SUCCESS;
}

void adi3_win_open(struct adi3_win *w)
{
    assert(adi3_lock_held());
    w->polls = w->memory && w->memory->control && rma_needs_help(w);
    w->served = w->polls;
    if (w->served)
        async_need();
    adi3_win_set_infos(w, w->infos);
    rma_memory_opened(w);
}

static const char *epoch_name(uint8_t epoch)
{
    static const char *const name[] = {
        [ADI3_EPOCH_NONE] = "",
        [ADI3_EPOCH_FENCE] = "MPI_Win_fence",
        [ADI3_EPOCH_START] = "MPI_Win_start without MPI_Win_complete",
        [ADI3_EPOCH_LOCK] = "MPI_Win_lock without MPI_Win_unlock",
        [ADI3_EPOCH_ALL] = "MPI_Win_lock_all without MPI_Win_unlock_all",
        [ADI3_EPOCH_POST] = "MPI_Win_post without MPI_Win_wait",
    };

    return name[epoch];
}

int adi3_win_freeable(const struct adi3_win *w)
{
    uint8_t open = w->access > ADI3_EPOCH_FENCE ? w->access : w->exposure;

    if (open <= ADI3_EPOCH_FENCE)
        return MPI_SUCCESS;
    char title[RMA_TITLE];
    return adi3_error(MPI_ERR_RMA_SYNC, "%s is in use: there was %s", rma_title(w, -1, title),
                      epoch_name(open));
}

/* After an error another process may be in the middle of an operation. */
static void win_await_idle(struct adi3_win *w)
{
    struct adi3_wait wait = { .on = w, .what = "one-sided operations" };

    while (rma_is_busy(w))
        adi3_wait_turn(&wait);
    adi3_wait_end(&wait);
}

void adi3_win_leave(struct adi3_win *w)
{
    assert(adi3_lock_held());
    win_await_idle(w);
    w->base = NULL;
    w->size = 0;
    rma_regions_free(&w->regions);
    w->left = true;
}

void adi3_win_free(struct adi3_win *w)
{
    struct adi3_win **at = bucket_of(w->comm->recv_ctx);

    assert(adi3_lock_held());
    win_await_idle(w);
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    if (w->served)
        async_unneed();
    rma_hooks_window_free(w);
    rma_targets_free(w);
    rma_regions_free(&w->regions);
    rma_memory_free(w);
    w->comm->owner = NULL;
    adi3_comm_release(w->comm);
    adi3_free(&adi3_wins, w);
}

const struct adi3_win *adi3_win_in(const void *base, size_t size)
{
    uintptr_t at = (uintptr_t) base;

    for (struct adi3_win *w = NULL; (w = adi3_next(&adi3_wins, w));)
        if ((w->flavor == MPI_WIN_FLAVOR_CREATE
             && rma_ranges_overlap(at, size, (uintptr_t) w->base, (size_t) w->size))
            || rma_regions_overlap(w->regions, at, size))
            return w;
    return NULL;
}
