/* memory.c — what the processes of a window that are on one node share: a control block of each,
 * and the memory of windows that the library allocates.
 *
 * The memory is one memfd for each window and node. The lowest rank there makes it. The others open
 * it as a descriptor of that process; where some may not, as in another pid namespace, they ask for
 * it at its share socket. Of small memory each process reserves the part that is its own; the pages
 * of large memory are taken when they are used. All compute the same layout:
 *
 * controls, by rank | signals to each, by rank | to the next page, or as the user asks | memory of
 * each, by rank
 *
 * A process that is alone on its node has the same in private memory. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/rma/memory/memory_impl.h"

/* Whether this process shares memory with the process of this rank. */
static bool is_here(const struct adi3_comm *c, int rank)
{
    return rank == c->rank || proc_node(c->proc[rank]);
}

static int leader_of(const struct adi3_win *w)
{
    int rank = 0;

    while (!is_here(w->comm, rank))
        rank++;
    return rank;
}

static bool is_win_allocated(const struct adi3_win *w)
{
    return w->flavor == MPI_WIN_FLAVOR_ALLOCATE || w->flavor == MPI_WIN_FLAVOR_SHARED;
}

/* ---- layout ---------------------------------------------------------------------------------- */

struct layout {
    size_t controls;  /* bytes of the control blocks */
    size_t at, len;   /* of the memory of one rank */
    size_t all, used; /* all: bytes with the gaps, 0: too many; used: without */
    int count, index; /* processes of the node; the index of the rank */
};

static size_t up_to(size_t align, size_t at) { return (at + align - 1) & ~(align - 1); }
static size_t to_page(size_t len) { return up_to(RMA_PAGE, len); }

/* The memory of shared windows follows without a gap, unless the user has allowed one (§11.2.3). */
static struct layout lay_out(const struct adi3_win *w, const struct adi3_win_member *members,
                             int rank)
{
    bool gaps = w->flavor != MPI_WIN_FLAVOR_SHARED || w->infos & ADI3_WIN_NONCONTIG;
    struct layout l = { .all = 0 };
    size_t at = 0, used = 0;

    for (int i = 0; i < w->comm->size; i++)
        l.count += is_here(w->comm, i);
    l.controls = rma_controls_len(l.count);
    used = l.controls;
    at = is_win_allocated(w) ? up_to(w->align, used) : used;
    for (int i = 0, n = 0; i < w->comm->size; i++) {
        if (!is_here(w->comm, i))
            continue;
        size_t len = is_win_allocated(w) ? members[i].size : 0;
        if (i == rank)
            l = (struct layout) { l.controls, at, len, 0, 0, l.count, n };
        if (len > PTRDIFF_MAX - 2 * w->align - at)
            return l;
        at = gaps ? up_to(w->align, at + len) : at + len;
        used += to_page(len);
        n++;
    }
    l.all = to_page(at);
    l.used = used;
    return l;
}

/* ---- making and finding it ------------------------------------------------------------------- */

static int too_large(void)
{
    return adi3_error(MPI_ERR_NO_MEM, "the memory of all processes here has more than %td bytes",
                      PTRDIFF_MAX);
}

static int make_private(struct rma_memory *m, size_t len, size_t used)
{
    int err = node_room(used);
    void *at = err ? NULL : os_map(-1, len);

    if (err)
        return err;
    if (!at)
        return adi3_no_memory("for a window of %zu bytes", len);
    m->share = (struct node_share) { .at = at, .len = len, .fd = -1 };
    return MPI_SUCCESS;
}

static int win_memory_make(struct adi3_win *w, const struct layout *l)
{
    struct rma_memory *m = w->memory;

    if (!l->all)
        return too_large();
    if (l->count == 1)
        return make_private(m, l->all, l->used);
    if (rma_cache_take(m, l->all))
        return MPI_SUCCESS;
    m->made = true;
    /* Small memory is reserved, and kept for the next window then; so is what gets huge pages. */
    if (l->all <= RMA_CACHE_MOST || adi3_huge_align(l->all) > 1)
        return node_share_create(l->all, l->used, l->controls, &m->share);
    int err = node_share_promise(l->all, l->used, l->controls, &m->share);
    if (!err || rma_cache_is_empty())
        return err;
    rma_cache_drop(); /* what is promised to it may be what is missing */
    return node_share_promise(l->all, l->used, l->controls, &m->share);
}

void adi3_win_expose(struct adi3_win *w, const struct adi3_win_member *members,
                     struct adi3_win_exposed *exposed)
{
    struct layout l = lay_out(w, members, w->comm->rank);
    bool leads = leader_of(w) == w->comm->rank;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held() && !w->memory);
    *exposed = (struct adi3_win_exposed) { .share.len = l.all };
    w->memory = calloc(1, sizeof *w->memory);
    if (!w->memory) {
        err = adi3_no_memory("for a window");
    } else {
        w->memory->share.fd = -1;
        w->memory->count = l.count;
        w->memory->me = l.index;
        w->memory->own = l.at;
        w->memory->own_len = l.len;
        w->memory->gaps = l.all > l.used;
    }
    if (!err && leads)
        err = win_memory_make(w, &l);
    if (!err && leads && l.count > 1) {
        exposed->share.pid = (int32_t) getpid();
        exposed->share.fd = w->memory->share.fd;
        if (!w->memory->file)
            w->memory->file = os_file_number(w->memory->share.fd);
        exposed->share.file = w->memory->file;
        exposed->promised = w->memory->share.promised != 0;
    }
    exposed->failed = err;
}

void adi3_win_open_socket(struct adi3_win *w, struct adi3_win_exposed *exposed)
{
    struct node_share *s = &w->memory->share;

    assert(adi3_lock_held() && !s->number);
    if (leader_of(w) == w->comm->rank && s->fd >= 0) {
        progress_want(&progress_share_socket);
        exposed->failed = node_share_expose(s);
        if (exposed->failed)
            progress_share_socket_closed();
        exposed->share.share_socket = share_socket_name();
        exposed->share.number = s->number;
    }
}

static int not_shared(const struct adi3_win *w)
{
    int other = 0;

    while (other < w->comm->size && is_here(w->comm, other))
        other++;
    if (w->flavor != MPI_WIN_FLAVOR_SHARED || other == w->comm->size)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_RMA_SHARED,
                      "ranks %d and %d share no memory: they are not on one node", w->comm->rank,
                      other);
}

int adi3_win_map(struct adi3_win *w, const struct adi3_win_exposed *exposed)
{
    const struct adi3_win_exposed *o = &exposed[leader_of(w)];
    struct rma_memory *m = w->memory;
    int err = not_shared(w);

    assert(adi3_lock_held() && m);
    if (err || m->share.at || rma_cache_find(m, &o->share))
        return err;
    m->file = o->share.file;
    err = rma_share_open(&o->share, leader_of(w), &m->share);
    m->share.promised = o->promised ? NODE_PROMISED : 0;
    return err;
}

/* ---- regions --------------------------------------------------------------------------------- */

static struct rma_alloc_region *region_of(const struct adi3_win *w, struct adi3_win_region *region)
{
    *region = (struct adi3_win_region) { .at = 0 };
    return w->flavor == MPI_WIN_FLAVOR_CREATE && w->size
               ? rma_alloc_region_find(w->base, (size_t) w->size, region)
               : NULL;
}

bool adi3_win_in_region(const struct adi3_win *w)
{
    struct adi3_win_region region;

    return region_of(w, &region);
}

int adi3_win_expose_region(struct adi3_win *w, bool by_socket, struct adi3_win_region *region)
{
    struct rma_alloc_region *a = region_of(w, region);

    return a && by_socket && w->memory->count > 1 ? rma_alloc_region_open_socket(a, region)
                                                  : MPI_SUCCESS;
}

/* As far as that has not been done. */
int adi3_win_map_regions(struct adi3_win *w, const struct adi3_win_region *regions)
{
    struct rma_memory *m = w->memory;
    int err = MPI_SUCCESS;

    if (m->count == 1)
        return MPI_SUCCESS;

    for (int i = 0, n = 0; i < w->comm->size && !err; i++) {
        if (!is_here(w->comm, i))
            continue;
        if (regions[i].share.len && !m->views
            && !(m->views = calloc((size_t) m->count, sizeof *m->views)))
            err = adi3_no_memory("for a window");
        else if (regions[i].share.len && !m->views[n].region)
            err = rma_alloc_region_map(&regions[i], i, &m->views[n]);
        n++;
    }
    return err;
}

/* ---- joining --------------------------------------------------------------------------------- */

static void own_control_fill(struct adi3_win *w)
{
    struct rma_memory *m = w->memory;
    struct rma_control *own = &m->control[m->me];

    own->rank = w->comm->rank;
    own->job = proc_own_job.dev.id;
    own->local = adi3_node.index;
    own->pid = (int32_t) getpid();
    own->disp_unit = w->disp_unit;
    own->forced = rma_forced_path();
    own->offset = is_win_allocated(w) && m->count > 1 ? m->own : 0;
    if (m->views && m->views[m->me].region)
        own->offset = RMA_IN_ALLOC_REGION;
    /* Programs compute addresses in shared windows, also from that of memory of no length. */
    bool has_base = m->own_len || w->flavor == MPI_WIN_FLAVOR_SHARED;
    if (is_win_allocated(w))
        w->base = has_base ? (char *) m->share.at + m->own : NULL;
    own->base = (uint64_t) (uintptr_t) w->base;
    own->size = (uint64_t) w->size;
}

int adi3_win_join(struct adi3_win *w)
{
    struct rma_memory *m = w->memory;
    int err = MPI_SUCCESS;

    assert(adi3_lock_held() && m);
    if (is_win_allocated(w))
        err = rma_share_place(&m->share, w->align);
    if (!err && m->count > 1 && !m->reserved)
        err = rma_share_reserve(&m->share, m->own, m->own_len);
    if (err)
        return err;
    m->control = m->share.at;
    own_control_fill(w);
    return MPI_SUCCESS;
}

static void win_memory_withdraw(struct adi3_win *w)
{
    if (w->memory && w->memory->share.number) {
        node_share_withdraw(&w->memory->share);
        progress_share_socket_closed();
    }
}

void rma_memory_opened(struct adi3_win *w)
{
    if (w->memory)
        w->memory->reserved = !w->memory->gaps;
    win_memory_withdraw(w);
}

void rma_memory_free(struct adi3_win *w)
{
    struct rma_memory *m = w->memory;

    win_memory_withdraw(w);
    for (int i = 0; m && m->views && i < m->count; i++)
        if (m->views[i].region)
            rma_alloc_region_release(m->views[i].region);
    if (m) {
        rma_cache_put(m);
        free(m->views);
    }
    free(m);
    w->memory = NULL;
}

/* ---- the processes of this node -------------------------------------------------------------- */

struct rma_control *rma_control_of(const struct adi3_win *w, int rank)
{
    const struct rma_memory *m = w->memory;
    int low = 0, high = m->count;

    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->control[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->count && m->control[low].rank == rank ? &m->control[low] : NULL;
}

int adi3_win_shared(struct adi3_win *w, int rank, MPI_Aint *size, int *disp_unit, void **base)
{
    const struct rma_memory *m = w->memory;
    const struct rma_control *c = rank == MPI_PROC_NULL ? NULL : rma_control_of(w, rank);

    for (int i = 0; i < m->count && rank == MPI_PROC_NULL && !c; i++)
        c = m->control[i].size ? &m->control[i] : NULL;
    *size = c ? (MPI_Aint) c->size : 0;
    *disp_unit = c ? c->disp_unit : 1;
    *base = !c ? NULL : c == &m->control[m->me] ? w->base : (char *) m->share.at + c->offset;
    return MPI_SUCCESS;
}
