/* target.c — the processes of a window that this one has touched, and how each is reached.
 *
 * They are in chunks by rank, so that a window of many processes takes memory for the few that are
 * used. */
#include <stdlib.h>
#include <string.h>
#include "rma_impl.h"

static const char *path_setting = "auto";

const struct setting rma_settings[] = {
    { "RMA", SETTING_STRING, &path_setting, "auto",
      "How one-sided operations reach the memory of a process, where it can be reached so: direct "
      "(loads and stores in shared memory), cma (the kernel copies between two processes of a "
      "node), device (the device writes and reads for MPI_Put and MPI_Get, and all else goes by "
      "messages), messages; auto: the first of these that is possible, and the device for large "
      "data alone." },
    { "ALLOC_MEM", SETTING_STRING, &area_setting, "private",
      "What MPI_Alloc_mem gives where its info key alloc_shm does not decide. private: ordinary "
      "memory; shared: memory that the processes of the node share when MPI_Win_create is called "
      "with it, so that they reach it by loads and stores; a child of fork() shares it, too." },
    { "HUGE_PAGES", SETTING_BOOL, &huge_setting, "no",
      "Whether memory of windows and of MPI_Alloc_mem that is as long as a huge page begins at one "
      "and has huge pages, where the kernel can: private memory, unless "
      "/sys/kernel/mm/transparent_hugepage/enabled is never; shared memory from Linux 6.1 on, "
      "whose pages are moved when they are reserved, which takes time." },
    { 0 }
};

static const char *const path_name[] = {
    [RMA_DIRECT] = "direct", [RMA_CMA] = "cma", [RMA_MESSAGES] = "messages"
};

enum { DEVICE_LEAST = 16384 }; /* below that messages are faster, or need no answer of their own */

size_t rma_device_least = DEVICE_LEAST;

/* What the device does not do goes by messages. */
static bool forces_device(void) { return !strcmp(path_setting, "device"); }

uint32_t rma_forced_path(void)
{
    for (uint32_t i = 0; i < sizeof path_name / sizeof *path_name; i++)
        if (!strcmp(path_setting, path_name[i]))
            return i + 1;
    return forces_device() ? RMA_MESSAGES + 1 : 0;
}

int rma_check_setting(void)
{
    bool any = !strcmp(path_setting, "auto");

    rma_device_least = any ? DEVICE_LEAST : forces_device() ? 1 : SIZE_MAX;
    if (any || rma_forced_path())
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "STARLING_RMA=%s: it is auto, direct, cma, device or messages",
                      path_setting);
}

/* Whether the user lets this path serve, if it can. */
static bool allowed(enum rma_path path)
{
    return !strcmp(path_setting, "auto") || !strcmp(path_setting, path_name[path]);
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
    bool forced = strcmp(path_setting, "auto") != 0, near = proc_through_memory(p);
    if (t->quick.base && allowed(RMA_DIRECT)
        && (near || forced || w->flavor == MPI_WIN_FLAVOR_SHARED))
        return RMA_DIRECT;
    return near && p->peer.can_get && allowed(RMA_CMA) ? RMA_CMA : RMA_MESSAGES;
}

/* A process that waits in a loop of flushes of its own memory must serve the others meanwhile.
 * Processes with different settings reach each other on different paths; of those with the same
 * setting it is assumed that they reach each other as this one would them, were their memory like
 * its own. */
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

static void find(struct adi3_win *w, struct rma_target *t)
{
    const struct rma_memory *m = w->memory;
    bool self = t->rank == w->comm->rank;

    t->quick.size = UINT64_MAX;
    t->control = rma_control_of(w, t->rank);
    if (t->control) {
        t->quick.size = t->control->size;
        t->quick.disp_unit = t->control->disp_unit;
        t->signals = rma_signals_to(m, (int) (t->control - m->control));
        t->from = &rma_signals_to(m, m->me)->by[t->control - m->control];
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
    find(w, *at);
    return *at;
}

int rma_no_target(const struct adi3_win *w, int rank)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_NO_MEM, "no memory for %s", rma_title(w, rank, title));
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

void rma_targets_free(struct adi3_win *w)
{
    struct rma_target *t;
    int rank = 0;

    while ((t = rma_next_target(w, &rank))) {
        types_free(t);
        regions_free(&t->regions);
        free(t->batch);
        rma_forget_accesses(t);
        free(t);
    }
    for (int i = 0; i < chunks_of(w->comm->size); i++)
        free(w->targets[i]);
    free(w->targets);
    w->targets = NULL;
}
