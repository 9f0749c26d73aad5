/* view.c — views: the data of a file that a process sees, as a stream of bytes.
 *
 * A filetype is a datatype whose displacements are those in the file, so the ranges of a buffer in
 * memory are those of the stream in the file. Nothing is flattened: a walk makes a few ranges at a
 * time. Displacements of a filetype do not fall, so offsets rise with the stream. */
#include "adi3/base/base.h"
#include "adi3/datatype/datatype.h"
#include "adi3/io/io_impl.h"

/* Ranges are addresses, and pointers: so they begin somewhere else than at NULL. */
enum { BIAS = 4096 };

static bool is_plain(const struct adi3_view *v) { return v->tiles->contig; }

/* ---- walking --------------------------------------------------------------------------------- */

void io_walk_begin(struct io_walk *w, const struct adi3_view *v, uint64_t at, uint64_t len)
{
    w->view = v;
    w->at = at;
    w->left = len;
    w->i = w->n = 0;
}

/* Makes the next ranges. */
static void walk_refill(struct io_walk *w)
{
    const struct adi3_view *v = w->view;
    struct iovec iov[IO_RANGES];
    size_t size = v->tiles->size, at = (size_t) (w->at % size);
    uint64_t tile = w->at / size, base = v->disp + tile * (uint64_t) v->tiles->extent;
    const struct adi3_data d = { (char *) (uintptr_t) BIAS, (at + w->left - 1) / size + 1,
                                 v->tiles };

    w->i = 0;
    w->n = adi3_ranges(&d, &at, iov, IO_RANGES);
    for (int i = 0; i < w->n; i++)
        w->ranges[i] =
            (struct io_run) { base + (uintptr_t) iov[i].iov_base - BIAS, iov[i].iov_len };
}

static bool has_range(struct io_walk *w)
{
    if (!w->left)
        return false;
    if (w->i == w->n)
        walk_refill(w);
    return true;
}

/* Takes at most `most` bytes of the first range. */
static struct io_run walk_take(struct io_walk *w, uint64_t most)
{
    struct io_run *r = &w->ranges[w->i], taken = *r;

    if (taken.len > most)
        taken.len = most;
    if (taken.len > w->left)
        taken.len = w->left;
    r->at += taken.len;
    r->len -= taken.len;
    w->i += r->len == 0;
    w->at += taken.len;
    w->left -= taken.len;
    return taken;
}

bool io_walk_next(struct io_walk *w, uint64_t most, struct io_run *run)
{
    if (!w->left)
        return false;
    if (is_plain(w->view)) {
        *run = (struct io_run) { w->view->disp + w->at, w->left < most ? w->left : most };
        w->at += run->len;
        w->left -= run->len;
        return true;
    }
    (void) has_range(w);
    *run = walk_take(w, most);
    while (run->len < most && has_range(w) && w->ranges[w->i].at == run->at + run->len)
        run->len += walk_take(w, most - run->len).len;
    return true;
}

uint64_t adi3_view_offset(const struct adi3_view *v, uint64_t at)
{
    struct io_walk w;
    struct io_run run;

    if (v->tiles->size == 0)
        return v->disp;
    io_walk_begin(&w, v, at, 1);
    (void) io_walk_next(&w, 1, &run);
    return run.at;
}

uint64_t adi3_view_before(const struct adi3_view *v, uint64_t offset)
{
    uint64_t size = v->tiles->size, low = 0, high = size;

    if (offset <= v->disp || size == 0)
        return 0;
    if (is_plain(v)) {
        uint64_t before = offset - v->disp;
        return v->once && before > size ? size : before;
    }
    if (!v->once) {
        uint64_t tile = (offset - v->disp) / (uint64_t) v->tiles->extent;
        high = (tile + 1) * size;
        low = tile ? (tile - 1) * size : 0;
        if (adi3_view_offset(v, low) >= offset) /* tiles overlap */
            low = 0;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (adi3_view_offset(v, middle) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool adi3_view_holds(const struct adi3_view *v, uint64_t at, uint64_t len)
{
    return !v->once || (at <= v->tiles->size && len <= v->tiles->size - at);
}

uint64_t adi3_view_run(const struct adi3_view *v, uint64_t at, uint64_t len, int looks)
{
    struct io_walk w;
    struct io_run run;
    uint64_t sum = 0;
    int n = 0;

    io_walk_begin(&w, v, at, len);
    for (; n < looks && io_walk_next(&w, UINT64_MAX, &run); n++)
        sum += run.len;
    return n ? sum / (uint64_t) n : 1;
}

/* ---- setting --------------------------------------------------------------------------------- */

enum adi3_tiling adi3_filetype_tiling(const struct adi3_type *t, bool apart)
{
    MPI_Aint last;

    if (t->contig || t->size == 0)
        return ADI3_TILES;
    if (t->true_lb < 0 || !adi3_type_rises(t, apart, &last))
        return ADI3_NO_TILE;
    if (t->extent < (apart ? t->true_extent : 1))
        return ADI3_ONE_TILE;
    return last <= t->true_lb + t->extent ? ADI3_TILES : ADI3_ONE_TILE;
}

/* Whether elements are as long in the file as in memory. */
static bool same_length(const struct adi3_datarep *rep) { return !rep->portable && !rep->extent; }

int adi3_view_bytes(const struct adi3_view *v, struct adi3_type *t, size_t *bytes)
{
    struct adi3_type *there;

    *bytes = v->rep->portable ? adi3_external_size(t) : t->size;
    if (!v->rep->extent)
        return MPI_SUCCESS;
    int err = io_portable(v->rep, t, &there);
    if (err)
        return err;
    *bytes = there->size;
    adi3_type_release(there);
    return MPI_SUCCESS;
}

int adi3_view_extent(const struct adi3_view *v, struct adi3_type *t, MPI_Aint *extent)
{
    struct adi3_type *there;

    *extent = t->extent;
    if (same_length(v->rep))
        return MPI_SUCCESS;
    int err = io_portable(v->rep, t, &there);
    if (err)
        return err;
    *extent = there->extent;
    adi3_type_release(there);
    return MPI_SUCCESS;
}

static void view_release_types(struct adi3_view *v)
{
    struct adi3_type *const types[] = { v->etype, v->filetype, v->tiles };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i])
            adi3_type_release(types[i]);
}

/* Sets *tiles to the filetype as it is in the file, with a reference. */
static int make_tiles(const struct adi3_datarep *rep, struct adi3_type *filetype,
                      struct adi3_type **tiles)
{
    if (!same_length(rep))
        return io_portable(rep, filetype, tiles);
    *tiles = filetype;
    filetype->refs++;
    return MPI_SUCCESS;
}

/* Moves overlapping tiles apart, so that loops over a view may rely on ascending offsets. Only the
 * first tile is ever accessed. */
static int set_apart(struct adi3_type **tiles)
{
    struct adi3_type *t = *tiles, *apart;
    int err = adi3_type_make(
        &(struct adi3_contents) { .combiner = MPI_COMBINER_RESIZED,
                                  .naddrs = 2,
                                  .ntypes = 1,
                                  .addrs = (MPI_Aint[]) { t->true_lb, t->true_extent },
                                  .types = tiles },
        &apart);

    if (err)
        return err;
    *tiles = apart;
    adi3_type_release(t);
    return adi3_type_commit(apart);
}

int adi3_view_set(struct adi3_file *f, uint64_t disp, struct adi3_type *etype,
                  struct adi3_type *filetype, bool once, const struct adi3_datarep *rep)
{
    struct adi3_view v = { .disp = disp, .once = once, .rep = rep };
    int err = adi3_view_bytes(&v, etype, &v.unit);

    if (!err)
        err = make_tiles(rep, filetype, &v.tiles);
    if (!err && once)
        err = set_apart(&v.tiles);
    if (err) {
        view_release_types(&v);
        return err;
    }
    v.etype = etype;
    v.filetype = filetype;
    etype->refs++;
    filetype->refs++;
    view_release_types(&f->view);
    f->view = v;
    return MPI_SUCCESS;
}

void io_view_end(struct adi3_file *f)
{
    view_release_types(&f->view);
    f->view = (struct adi3_view) { .etype = NULL };
}
