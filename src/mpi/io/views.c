/* views.c — the views of all processes of a file, which aggregators walk through.
 *
 * They are exchanged when they are set, so that a nonblocking access need not wait for them. Views
 * that are large together are not kept: accesses by them are each process's own. Programs often set
 * the same filetype again, at another place: then only the places are exchanged. */
#include <stdlib.h>
#include <string.h>
#include "mpi/coll/coll.h"
#include "mpi/comm/comm.h"
#include "mpi/io/io.h"

struct view_head { /* how a view is sent; the bytes of its filetype follow */
    uint64_t disp, bytes;
    int32_t errclass, once;
    int64_t again; /* the filetype is the one that it had in the view before */
};

void mpir_file_views_free(struct adi3_file *f)
{
    for (int i = 0; f->views && i < f->comm->size; i++)
        if (f->views[i].tiles)
            adi3_type_release(f->views[i].tiles);
    free(f->views);
    f->views = NULL;
}

/* Types that are the same are one: often all processes have the same filetype, at other places. */
static void view_share_type(struct adi3_view *v, struct adi3_type *tiles)
{
    v->tiles = tiles;
    tiles->refs++;
}

static bool bytes_are_equal(const char *a, uint64_t alen, const char *b, uint64_t blen)
{
    return alen == blen && memcmp(a, b, (size_t) alen) == 0;
}

/* bytes: the serialized filetype of this process; all, at: the filetypes of the processes, and
 * their offsets. */
static int read_views(struct adi3_file *f, const struct view_head *heads, const char *bytes,
                      const char *all, const int *at)
{
    int me = f->comm->rank, err = MPI_SUCCESS;

    for (int i = 0; i < f->comm->size && !err; i++) {
        struct adi3_view *v = &f->views[i];
        v->disp = heads[i].disp;
        v->once = heads[i].once;
        if (!heads[i].bytes)
            view_share_type(v, adi3_type_builtin(MPI_BYTE));
        else if (i == me || bytes_are_equal(all + at[i], heads[i].bytes, bytes, heads[me].bytes))
            view_share_type(v, f->view.tiles);
        else if (i
                 && bytes_are_equal(all + at[i], heads[i].bytes, all + at[i - 1],
                                    heads[i - 1].bytes))
            view_share_type(v, v[-1].tiles);
        else
            err = adi3_type_deserialize(all + at[i], heads[i].bytes, &v->tiles);
    }
    return err;
}

/* Without memory for them this process has nothing to send or receive, and says so afterwards. */
static int exchange_types(struct adi3_file *f, const struct view_head *heads, size_t all)
{
    struct adi3_comm *c = f->comm;
    char *mine = malloc(heads[c->rank].bytes + 1), *theirs = malloc(all + 1);
    int *counts = malloc((size_t) c->size * 2 * sizeof *counts), at = 0;
    int err =
        mine && theirs && counts ? MPI_SUCCESS : adi3_no_memory("for views of %zu bytes", all);
    struct coll x;

    if (!err) {
        if (heads[c->rank].bytes)
            (void) adi3_type_serialize(f->view.tiles, mine, heads[c->rank].bytes);
        for (int i = 0; i < c->size; at += counts[i++]) {
            counts[i] = (int) heads[i].bytes;
            counts[c->size + i] = at;
        }
        coll_begin(&x, c);
        x.send = coll_packed(mine, heads[c->rank].bytes);
        x.recv = coll_packed(theirs, 0);
        x.recvcounts = mpir_ints(counts);
        x.rdispls = mpir_ints(counts + c->size);
        err = coll_run(&coll_allgatherv, &x);
    }
    if (!err)
        err = read_views(f, heads, mine, theirs, counts + c->size);
    free(mine);
    free(theirs);
    free(counts);
    return err;
}

/* Whether this process sets the filetype that f->views has of it. */
static bool is_again(const struct adi3_file *f)
{
    const struct adi3_type *now = f->view.tiles, *had;

    if (!f->views)
        return false;
    had = f->views[f->comm->rank].tiles;
    return now->contig ? had == adi3_type_builtin(MPI_BYTE) : had == now;
}

static bool all_again(const struct view_head *heads, int n)
{
    for (int i = 0; i < n; i++)
        if (!heads[i].again)
            return false;
    return true;
}

/* Gathers the heads of the views of all processes; *bytes: of all filetypes. */
static int exchange_heads(struct adi3_file *f, int err, struct view_head *heads, size_t *bytes)
{
    const struct adi3_type *tiles = f->view.tiles;
    struct view_head mine = { .disp = f->view.disp, .once = f->view.once };

    mine.again = !err && is_again(f);
    if (!err && !mine.again && f->comm->size > 1) {
        f->view_bytes = tiles->contig ? 0 : adi3_type_serialize(tiles, NULL, 0);
        if (!tiles->contig && !f->view_bytes)
            err = adi3_no_memory("to describe the filetype");
    }
    mine.bytes = f->view_bytes;
    mine.errclass = err & ADI3_CLASS_MASK;
    int lost = mpir_gather_all(f->comm, &mine, sizeof mine, heads);
    if (!err)
        err = lost;
    for (int i = 0; i < f->comm->size && !err; i++) {
        *bytes += heads[i].bytes;
        err = mpir_io_error_of(i, heads[i].errclass, "set the view");
    }
    return err;
}

static void move_views(struct adi3_file *f, const struct view_head *heads)
{
    for (int i = 0; i < f->comm->size; i++) {
        f->views[i].disp = heads[i].disp;
        f->views[i].once = heads[i].once;
    }
}

/* Gets the filetypes of all processes. */
static int replace_views(struct adi3_file *f, const struct view_head *heads, size_t bytes)
{
    size_t n = (size_t) f->comm->size;

    mpir_file_views_free(f);
    f->views = calloc(n, sizeof *f->views);
    int err = f->views ? exchange_types(f, heads, bytes)
                       : adi3_no_memory("for views of %zu bytes", n * sizeof *f->views);
    return mpir_io_consensus(f->comm, err, "exchange views");
}

int mpir_file_views_exchange(struct adi3_file *f, int err)
{
    size_t n = (size_t) f->comm->size, bytes = 0;
    struct view_head *heads = malloc(n * sizeof *heads);

    if (!heads) {
        mpir_file_views_free(f);
        return adi3_no_memory("for views of %zu bytes", n * sizeof *heads);
    }
    err = exchange_heads(f, err, heads, &bytes);
    bool large = bytes > f->hints.cb_buffer_size || bytes > INT32_MAX;
    if (!err && !large && all_again(heads, f->comm->size))
        move_views(f, heads);
    else if (!err && !large && n > 1)
        err = replace_views(f, heads, bytes);
    if (err || large)
        mpir_file_views_free(f);
    free(heads);
    return err;
}
