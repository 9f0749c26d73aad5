/* dynamic.c — the memory that a process has attached to a dynamic window (§11.2.4).
 *
 * The processes of the node read the list of this memory by CMA when they need the list, and again
 * when the version in the control block has changed; so no process is told of an attach or detach.
 * A list that changes while it is read is read again. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/target/target_impl.h"

struct region {
    uintptr_t base, size;
};

struct rma_regions { /* in ascending order; none overlap */
    size_t n, room;
    struct region *v;
    uint32_t version; /* of another process: its `version` when the regions were read */
};

/* ---- the list of this process ---------------------------------------------------------------- */

/* The index of the first region that begins behind `at`. */
static size_t attached_index_after(const struct rma_regions *r, uintptr_t at)
{
    size_t low = 0, high = r->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->v[middle].base <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int make_room(struct rma_regions *r, size_t n)
{
    size_t room = r->room ? r->room : 16;

    while (room < n)
        room *= 2;
    struct region *v = realloc(r->v, room * sizeof *v);

    if (!v)
        return adi3_no_memory("to attach memory to a window");
    r->v = v;
    r->room = room;
    return MPI_SUCCESS;
}

static int attach_overlap_error(const struct region *a, const struct region *b)
{
    return adi3_error(MPI_ERR_RMA_ATTACH,
                      "the %zu bytes at 0x%llx overlap the %zu bytes at 0x%llx, which are attached",
                      (size_t) a->size, (unsigned long long) a->base, (size_t) b->size,
                      (unsigned long long) b->base);
}

static void begin_change(const struct adi3_win *w)
{
    struct rma_control *own = &w->memory->control[w->memory->me];

    atomic_fetch_add(&own->version, 1);
}

static void end_change(const struct adi3_win *w)
{
    struct rma_control *own = &w->memory->control[w->memory->me];

    atomic_store(&own->regions, w->regions->n);
    atomic_store(&own->list, (uint64_t) (uintptr_t) w->regions->v);
    atomic_fetch_add(&own->version, 1);
}

static int attached_add(struct rma_regions *r, struct region new)
{
    size_t i = attached_index_after(r, new.base);
    if (i > 0 && (r->v[i - 1].base == new.base || r->v[i - 1].base + r->v[i - 1].size > new.base))
        return attach_overlap_error(&new, &r->v[i - 1]);
    if (i<r->n &&new.base + new.size> r->v[i].base)
        return attach_overlap_error(&new, &r->v[i]);
    int err = r->n == r->room ? make_room(r, r->n + 1) : MPI_SUCCESS;
    if (err)
        return err;
    memmove(&r->v[i + 1], &r->v[i], (r->n - i) * sizeof *r->v);
    r->v[i] = new;
    r->n++;
    return MPI_SUCCESS;
}

int adi3_win_attach(struct adi3_win *w, void *base, MPI_Aint size)
{
    assert(adi3_lock_held() && size >= 0);
    if (!w->regions && !(w->regions = calloc(1, sizeof *w->regions)))
        return adi3_no_memory("to attach memory to a window");
    begin_change(w);
    int err = attached_add(w->regions, (struct region) { (uintptr_t) base, (uintptr_t) size });
    end_change(w);
    return err;
}

int adi3_win_detach(struct adi3_win *w, const void *base)
{
    struct rma_regions *r = w->regions;
    size_t i = r ? attached_index_after(r, (uintptr_t) base) : 0;

    assert(adi3_lock_held());
    if (i == 0 || r->v[i - 1].base != (uintptr_t) base)
        return adi3_error(MPI_ERR_RMA_ATTACH, "no memory is attached at %p", base);
    begin_change(w);
    r->n--;
    memmove(&r->v[i - 1], &r->v[i], (r->n - (i - 1)) * sizeof *r->v);
    end_change(w);
    return MPI_SUCCESS;
}

void rma_regions_free(struct rma_regions **r)
{
    if (*r)
        free((*r)->v);
    free(*r);
    *r = NULL;
}

/* ---- the list of another process ------------------------------------------------------------- */

/* Tries once. *changed: the list was changed meanwhile. */
static int read_list(struct rma_control *c, struct rma_regions *r, bool *changed)
{
    uint32_t version = atomic_load(&c->version);
    size_t n = atomic_load(&c->regions);
    const void *list = (const void *) (uintptr_t) atomic_load(&c->list);
    int err = n > r->room ? make_room(r, n) : MPI_SUCCESS;

    if (err)
        return err;
    err = n ? os_cma_read(c->pid, r->v, list, n * sizeof *r->v) : 0;
    atomic_thread_fence(memory_order_acquire);
    *changed = version & 1 || atomic_load(&c->version) != version;
    if (*changed)
        return MPI_SUCCESS;
    r->n = err ? 0 : n;
    r->version = version;
    return err ? rma_cma_error(c, err) : MPI_SUCCESS;
}

int rma_regions_read(const struct adi3_win *w, struct rma_target *t)
{
    struct rma_control *c = t->control;
    uint32_t index = (uint32_t) (c - w->memory->control);
    bool changed = true;
    int err = MPI_SUCCESS;

    if (t->regions && t->regions->version == atomic_load(&c->version))
        return MPI_SUCCESS;
    if (!t->regions && !(t->regions = calloc(1, sizeof *t->regions)))
        return rma_no_target(w, t->rank);
    while (changed && !err) {
        uint32_t version = atomic_load(&c->version);
        err = version & 1 ? rma_wait_word(w->memory, &c->version, version, index) : MPI_SUCCESS;
        if (!err)
            err = read_list(c, t->regions, &changed);
    }
    return err;
}

/* ---- what is in a list ----------------------------------------------------------------------- */

/* How many of len bytes from `at` on are attached, before the first that is not. Regions may touch:
 * what was attached in several calls is one memory for an operation. */
static size_t attached_bytes(const struct rma_regions *r, uintptr_t at, size_t len)
{
    size_t i = r ? attached_index_after(r, at) : 0, got = 0;

    for (i -= i > 0; r && i < r->n && got < len; i++) {
        uintptr_t from = at + got - r->v[i].base;
        if (r->v[i].base > at + got || from >= r->v[i].size)
            break;
        got += r->v[i].size - from;
    }
    return got < len ? got : len;
}

/* Whether all ranges of the data are attached, which may lie in several regions. *lacks: the first
 * address that is not. */
static bool has_all_ranges(const struct rma_regions *r, const struct adi3_data *d, uintptr_t *lacks)
{
    enum { RANGES = 64 };
    const size_t len = d->count * d->type->size;
    struct iovec v[RANGES];

    for (size_t at = 0; at < len;) {
        int n = adi3_ranges(d, &at, v, RANGES);
        for (int i = 0; i < n; i++) {
            uintptr_t from = (uintptr_t) v[i].iov_base;
            size_t got = attached_bytes(r, from, v[i].iov_len);
            *lacks = from + got;
            if (got < v[i].iov_len)
                return false;
        }
    }
    return true;
}

int rma_region_data(const struct adi3_win *w, const struct rma_target *t,
                    const struct rma_regions *r, const struct adi3_rma *x, struct adi3_data *d)
{
    char title[RMA_TITLE];
    MPI_Aint low = 0, high = 0;
    bool fits = rma_span(x->type, x->count, &low, &high);
    uintptr_t first = (uintptr_t) x->disp + (uintptr_t) low;

    size_t len = (size_t) (high - low), got = fits ? attached_bytes(r, first, len) : 0;
    uintptr_t lacks = first + got;

    *d = (struct adi3_data) { (void *) (uintptr_t) x->disp, x->count, x->type };
    if (x->count == 0 || x->type->size == 0
        || (fits && (got == len || has_all_ranges(r, d, &lacks))))
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_RMA_RANGE,
                      "no memory of %s is attached at 0x%llx, of %td bytes from 0x%llx on",
                      rma_title(w, t->rank, title), (unsigned long long) lacks, high - low,
                      (unsigned long long) first);
}

bool rma_ranges_overlap(uintptr_t a, size_t a_len, uintptr_t b, size_t b_len)
{
    return a_len && b_len && (a - b < b_len || b - a < a_len);
}

bool rma_regions_overlap(const struct rma_regions *r, uintptr_t at, size_t size)
{
    for (size_t i = 0; r && i < r->n; i++)
        if (rma_ranges_overlap(at, size, r->v[i].base, r->v[i].size))
            return true;
    return false;
}
