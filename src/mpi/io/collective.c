/* collective.c — collective reading and writing in two phases.
 *
 * The processes say which bytes of the file they want. When these interleave, the bytes are divided
 * into domains, each of one process, the aggregator: only it reads or writes them, so no byte is
 * written by two and nothing is locked. In rounds of bounded memory all processes send their data
 * to the aggregators, which write it in pieces as long as can be; or these read, and send.
 *
 * An aggregator knows the views of all processes, and walks through them itself: no lists of places
 * are sent. A message is a run of the stream of its sender. An error in a round ends no loop, so
 * nobody waits for ever; all learn of it at the end. */
#include <stdlib.h>
#include <string.h>
#include "coll/coll.h"
#include "comm/comm.h"
#include "os.h"
#include "phases.h"

enum { PAGE = 4096 };

/* ---- what all want --------------------------------------------------------------------------- */

/* The bytes of the file between the first and the last of an access. Reading ends with the file. */
static void find_bounds(const struct adi3_access *a, struct wish *w)
{
    const struct adi3_view *v = &a->file->view;
    uint64_t size, there;

    w->at = a->at;
    w->len = v->tiles->size ? (uint64_t) a->data.count * a->data.type->size : 0;
    if (!a->writes && w->len && !os_file_size(a->file->fd, &size)) {
        there = adi3_view_before(v, size);
        there = there > a->at ? there - a->at : 0;
        w->len = w->len < there ? w->len : there;
    }
    w->low = w->len ? adi3_view_offset(v, a->at) : 0;
    w->high = w->len ? adi3_view_offset(v, a->at + w->len - 1) + 1 : 0;
}

/* Whether the accesses of processes interleave: then many small ones become few long ones. */
static bool interleave(const struct wish *all, int n)
{
    uint64_t end = 0;

    for (int i = 0; i < n; i++) {
        if (!all[i].len)
            continue;
        if (all[i].low < end)
            return true;
        end = all[i].high;
    }
    return false;
}

/* Whether one has holes: bytes between its bounds that it does not want. */
static bool holes(const struct wish *all, int n)
{
    for (int i = 0; i < n; i++)
        if (all[i].high - all[i].low > all[i].len)
            return true;
    return false;
}

static void divide(struct phases *p)
{
    uint64_t low = UINT64_MAX, high = 0;

    for (int i = 0; i < p->size; i++)
        if (p->all[i].len) {
            low = p->all[i].low < low ? p->all[i].low : low;
            high = p->all[i].high > high ? p->all[i].high : high;
        }
    p->low = low;
    p->high = high;
    p->aggregators = p->size;
    p->domain = (high - low + (uint64_t) p->aggregators - 1) / (uint64_t) p->aggregators;
    p->domain = (p->domain + PAGE - 1) / PAGE * PAGE;
    p->low -= low % PAGE; /* domains begin with pages */
    while (p->low + p->domain * (uint64_t) p->aggregators < high)
        p->domain += PAGE;
}

/* ---- views of all processes ------------------------------------------------------------------ */

struct view_head { /* how a view is sent; the bytes of its filetype follow */
    uint64_t disp, bytes;
};

void mpir_file_views_free(struct adi3_file *f)
{
    for (int i = 0; f->views && i < f->comm->size; i++)
        if (f->views[i].tiles)
            adi3_type_release(f->views[i].tiles);
    free(f->views);
    f->views = NULL;
}

static int read_view(struct adi3_view *v, const struct view_head *h, const char *bytes)
{
    v->disp = h->disp;
    if (h->bytes)
        return adi3_type_deserialize(bytes, h->bytes, &v->tiles);
    v->tiles = adi3_type_builtin(MPI_BYTE);
    v->tiles->refs++;
    return MPI_SUCCESS;
}

static int exchange_types(struct adi3_file *f, const struct view_head *heads, size_t all)
{
    struct adi3_comm *c = f->comm;
    char *mine = malloc(heads[c->rank].bytes + 1), *theirs = malloc(all + 1);
    int *counts = malloc((size_t) c->size * 2 * sizeof *counts), at = 0;
    int err = mine && theirs && counts
                  ? MPI_SUCCESS
                  : mpir_error(MPI_ERR_NO_MEM, "no memory for views of %zu bytes", all);
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
    for (int i = 0; !err && i < c->size; i++)
        err = read_view(&f->views[i], &heads[i], theirs + counts[c->size + i]);
    free(mine);
    free(theirs);
    free(counts);
    return err;
}

/* Gives each process the views of all. They stay until the next MPI_File_set_view. */
static int exchange_views(struct adi3_file *f)
{
    const struct adi3_view *v = &f->view;
    const struct view_head mine = { v->disp,
                                    v->tiles->contig ? 0 : adi3_type_serialize(v->tiles, NULL, 0) };
    struct view_head *heads = malloc((size_t) f->comm->size * sizeof mine);
    size_t all = 0;

    f->views = calloc((size_t) f->comm->size, sizeof *f->views);
    int err =
        heads && f->views
            ? mpir_gather_all(f->comm, &mine, sizeof mine, heads)
            : mpir_error(MPI_ERR_NO_MEM, "no memory for the views of %d processes", f->comm->size);
    for (int i = 0; !err && i < f->comm->size; i++)
        all += heads[i].bytes;
    err = err ? err : exchange_types(f, heads, all);
    free(heads);
    if (err)
        mpir_file_views_free(f);
    return err;
}

/* ---- the call -------------------------------------------------------------------------------- */

static int in_phases(struct adi3_access *a, struct wish *all)
{
    struct phases p = { .a = a, .all = all, .size = a->file->comm->size };

    if (!a->file->views) {
        int err = mpir_io_agree(a->file->comm, exchange_views(a->file), "exchange views");
        if (err)
            return err;
    }
    p.views = a->file->views;
    divide(&p);
    return phases_run(&p);
}

int mpir_io_collective(struct adi3_access *a, int err, bool *done)
{
    int n = a->file->comm->size;
    struct wish mine = { .errclass = err & ADI3_CLASS_MASK };
    struct wish *all = malloc((size_t) n * sizeof mine);

    *done = false;
    if (!all)
        return mpir_error(MPI_ERR_NO_MEM, "no memory for the wishes of %d processes", n);
    if (!err)
        find_bounds(a, &mine);
    int lost = mpir_gather_all(a->file->comm, &mine, sizeof mine, all);
    err = err ? err : lost;
    for (int i = 0; i < n && !err; i++)
        err = mpir_io_error_of(i, (int) all[i].errclass, "take part");
    if (!err && !a->file->view.rep->portable && !a->file->view.rep->extent && !a->file->atomic
        && n > 1 && interleave(all, n) && holes(all, n)) {
        *done = true;
        err = in_phases(a, all);
    }
    free(all);
    return err;
}
