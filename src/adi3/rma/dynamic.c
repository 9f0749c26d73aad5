/* dynamic.c — the memory that a process has attached to a dynamic window (§11.2.4). */
#include <stdlib.h>
#include <string.h>
#include "rma_impl.h"

struct region {
    uintptr_t base, size;
};

struct rma_regions { /* in ascending order; none overlap */
    size_t n, room;
    struct region *v;
};

/* The index of the first region that begins behind `at`. */
static size_t behind(const struct rma_regions *r, uintptr_t at)
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

static int no_memory(void)
{
    return adi3_error(MPI_ERR_NO_MEM, "no memory to attach memory to a window");
}

static int grow(struct rma_regions *r)
{
    size_t room = r->room ? 2 * r->room : 16;
    struct region *v = realloc(r->v, room * sizeof *v);

    if (!v)
        return no_memory();
    r->v = v;
    r->room = room;
    return MPI_SUCCESS;
}

static int overlaps(const struct region *a, const struct region *b)
{
    return adi3_error(MPI_ERR_RMA_ATTACH,
                      "the %zu bytes at 0x%llx overlap the %zu bytes at 0x%llx, which are attached",
                      (size_t) a->size, (unsigned long long) a->base, (size_t) b->size,
                      (unsigned long long) b->base);
}

int adi3_win_attach(struct adi3_win *w, void *base, MPI_Aint size)
{
    const struct region new = { (uintptr_t) base, (uintptr_t) size };

    assert(adi3_lock_held() && size >= 0);
    if (!w->regions && !(w->regions = calloc(1, sizeof *w->regions)))
        return no_memory();
    struct rma_regions *r = w->regions;
    size_t i = behind(r, new.base);
    if (i > 0 && (r->v[i - 1].base == new.base || r->v[i - 1].base + r->v[i - 1].size > new.base))
        return overlaps(&new, &r->v[i - 1]);
    if (i<r->n &&new.base + new.size> r->v[i].base)
        return overlaps(&new, &r->v[i]);
    int err = r->n == r->room ? grow(r) : MPI_SUCCESS;
    if (err)
        return err;
    memmove(&r->v[i + 1], &r->v[i], (r->n - i) * sizeof *r->v);
    r->v[i] = new;
    r->n++;
    return MPI_SUCCESS;
}

int adi3_win_detach(struct adi3_win *w, const void *base)
{
    struct rma_regions *r = w->regions;
    size_t i = r ? behind(r, (uintptr_t) base) : 0;

    assert(adi3_lock_held());
    if (i == 0 || r->v[i - 1].base != (uintptr_t) base)
        return adi3_error(MPI_ERR_RMA_ATTACH, "no memory is attached at %p", base);
    r->n--;
    memmove(&r->v[i - 1], &r->v[i], (r->n - (i - 1)) * sizeof *r->v);
    return MPI_SUCCESS;
}

char *rma_region(const struct adi3_win *w, MPI_Aint disp, size_t len)
{
    const struct rma_regions *r = w->regions;
    uintptr_t at = (uintptr_t) disp;
    size_t i = r ? behind(r, at) : 0;

    if (i == 0)
        return NULL;
    uintptr_t from = at - r->v[i - 1].base;
    bool inside = from <= r->v[i - 1].size && len <= r->v[i - 1].size - from;
    return inside ? (char *) at : NULL;
}

void regions_free(struct adi3_win *w)
{
    if (w->regions)
        free(w->regions->v);
    free(w->regions);
    w->regions = NULL;
}

static bool meets(uintptr_t a, size_t a_len, uintptr_t b, size_t b_len)
{
    return a_len && b_len && (a - b < b_len || b - a < a_len);
}

const struct adi3_win *adi3_win_in(const void *base, size_t size)
{
    uintptr_t at = (uintptr_t) base;

    for (struct adi3_win *w = NULL; (w = adi3_next(&adi3_wins, w));) {
        const struct rma_regions *r = w->regions;
        bool used = w->flavor == MPI_WIN_FLAVOR_CREATE
                    && meets(at, size, (uintptr_t) w->base, (size_t) w->size);
        for (size_t i = 0; r && i < r->n && !used; i++)
            used = meets(at, size, r->v[i].base, r->v[i].size);
        if (used)
            return w;
    }
    return NULL;
}
