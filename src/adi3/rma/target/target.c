/* target.c — the processes of a window that this one has touched, and how each is reached.
 *
 * They are in chunks by rank, so that a window of many processes takes memory for the few that are
 * used. */
#include <stdlib.h>
#include "adi3/rma/target/target_impl.h"

/* Whether the user lets this path serve, if it can. */
static bool is_path_allowed(enum rma_path path)
{
    return !rma_forced_path() || rma_forced_path() == path + 1u;
}

/* A device around another one has to see all traffic, and a device that goes beyond the node is
 * used when it is chosen, except where memory is shared by its nature. */
static enum rma_path choose_path(struct adi3_win *w, const struct rma_target *t)
{
    struct adi3_proc *p = w->comm->proc[t->rank];

    if (t->rank == w->comm->rank)
        return RMA_DIRECT;
    if (!t->control)
        return RMA_MESSAGES;
    bool forced = rma_forced_path(), near = proc_through_memory(p);
    if (t->quick.base && is_path_allowed(RMA_DIRECT)
        && (near || forced || w->flavor == MPI_WIN_FLAVOR_SHARED))
        return RMA_DIRECT;
    return near && p->peer.can_get && is_path_allowed(RMA_CMA) ? RMA_CMA : RMA_MESSAGES;
}

/* Whether other processes may access the memory of this process by messages: then a loop of flushes
 * of its own memory must serve them. This is so when a process shares no memory with this process,
 * or has another setting of the path; or when this process would send messages to a target whose
 * memory is like its own. */
bool rma_needs_help(struct adi3_win *w)
{
    const struct rma_memory *m = w->memory;
    struct rma_target other = { .rank = w->comm->rank ? 0 : w->comm->size - 1 };

    if (m->count < w->comm->size)
        return true;
    for (int i = 0; i < m->count; i++)
        if (m->control[i].forced != m->control[m->me].forced)
            return true;
    other.control = rma_control_of(w, other.rank);
    if (!other.control)
        return true;
    other.quick.base = rma_mapped(m, &m->control[m->me]);
    return choose_path(w, &other) == RMA_MESSAGES;
}

/* What a process of another node has is known here only where hints say that all have the same. */
static void assume_size(const struct adi3_win *w, struct rma_target *t)
{
    const unsigned same = ADI3_WIN_SAME_SIZE | ADI3_WIN_SAME_DISP_UNIT;

    if ((w->infos & same) != same || w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return;
    t->quick.size = (uint64_t) w->size;
    t->quick.disp_unit = w->disp_unit;
}

static void target_resolve(struct adi3_win *w, struct rma_target *t)
{
    const struct rma_memory *m = w->memory;
    bool self = t->rank == w->comm->rank;

    t->quick.size = UINT64_MAX;
    t->control = rma_control_of(w, t->rank);
    if (t->control) {
        t->quick.size = t->control->size;
        t->quick.disp_unit = t->control->disp_unit;
        t->index = (int) (t->control - m->control);
        t->signals = rma_signals_to(m, t->index);
        t->own_signals = rma_signals_to(m, m->me);
        if (m->count <= RMA_SIGNALS_MOST) {
            t->to = &t->signals->by[m->me];
            t->from = &t->own_signals->by[t->index];
        }
    } else {
        assume_size(w, t);
    }
    if (self)
        t->quick.base = w->base;
    else if (t->control)
        t->quick.base = rma_mapped(w->memory, t->control);
    t->path = (uint8_t) choose_path(w, t);
    if (t->path == RMA_DIRECT && w->flavor != MPI_WIN_FLAVOR_DYNAMIC)
        t->quick.room = t->quick.size;
    w->defers |= t->path != RMA_DIRECT;
}

static struct rma_target **place_of(const struct adi3_win *w, int rank)
{
    struct rma_target **chunk = w->targets[rank / ADI3_RMA_CHUNK];

    return chunk ? &chunk[rank % ADI3_RMA_CHUNK] : NULL;
}

static int chunks_of(int size) { return (size + ADI3_RMA_CHUNK - 1) / ADI3_RMA_CHUNK; }

struct rma_target ***rma_targets_new(int size)
{
    return calloc((size_t) chunks_of(size), sizeof(struct rma_target **));
}

static struct rma_target **make_place(struct adi3_win *w, int rank)
{
    struct rma_target ***chunk = &w->targets[rank / ADI3_RMA_CHUNK];

    if (!*chunk && !(*chunk = calloc(ADI3_RMA_CHUNK, sizeof **chunk)))
        return NULL;
    return place_of(w, rank);
}

struct rma_target *rma_target(struct adi3_win *w, int rank)
{
    struct rma_target **at = place_of(w, rank);

    assert(adi3_lock_held() && rank >= 0 && rank < w->comm->size);
    if (at && *at)
        return *at;
    if (!at && !(at = make_place(w, rank)))
        return NULL;
    if (!(*at = calloc(1, sizeof **at)))
        return NULL;
    (*at)->rank = rank;
    target_resolve(w, *at);
    return *at;
}

struct rma_target *rma_next_target(const struct adi3_win *w, int *rank)
{
    for (int i = *rank; i < w->comm->size; i++) {
        struct rma_target **at = place_of(w, i);
        if (!at)
            i |= ADI3_RMA_CHUNK - 1;
        else if (*at) {
            *rank = i + 1;
            return *at;
        }
    }
    *rank = w->comm->size;
    return NULL;
}

bool rma_is_busy(const struct adi3_win *w)
{
    const struct rma_target *t;

    for (int rank = 0; (t = rma_next_target(w, &rank));)
        if (t->pending || t->after || t->op_delayed)
            return true;
    return false;
}

void rma_targets_free(struct adi3_win *w)
{
    struct rma_target *t;
    int rank = 0;

    while ((t = rma_next_target(w, &rank))) {
        rma_hooks_target_free(t);
        rma_regions_free(&t->regions);
        rma_forget_accesses(t);
        free(t);
    }
    for (int i = 0; i < chunks_of(w->comm->size); i++)
        free(w->targets[i]);
    free(w->targets);
    w->targets = NULL;
}
