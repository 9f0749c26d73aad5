/* parts.c — an aggregator's work: bytes of streams of several processes go to a window of the file
 * in pieces as long as can be, or come from there.
 *
 * Where runs are long the kernel takes them from the parts, or puts them there, one after another in
 * the order of the file. Short ones are copied: a range of memory costs the kernel more than a few
 * bytes cost here. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base.h"
#include "datatype.h"
#include "io_impl.h"

enum {
    LONG = 512,       /* bytes of a run that is not copied */
    IOVS = 1024,      /* ranges of memory in a call of the kernel: its limit */
    WASTE = 16 << 10, /* what is read between two runs, rather than by another call */
};

/* ---- the next run of all, by a heap of sources ----------------------------------------------- */

struct source { /* a part that is walked through */
    struct io_walk walk;
    struct io_run run;
    char *bytes; /* of the run */
};

struct merge {
    struct source *sources, **heap;
    int n;
};

static void sink(struct merge *m, int i)
{
    struct source **heap = m->heap, *s = heap[i];

    for (int child; (child = 2 * i + 1) < m->n; i = child) {
        child += child + 1 < m->n && heap[child + 1]->run.at < heap[child]->run.at;
        if (s->run.at <= heap[child]->run.at)
            break;
        heap[i] = heap[child];
    }
    heap[i] = s;
}

static int merge_begin(struct merge *m, const struct adi3_part *parts, int n)
{
    m->sources = malloc((size_t) n * sizeof *m->sources);
    m->heap = malloc((size_t) n * sizeof *m->heap);
    m->n = 0;
    if (!m->sources || !m->heap)
        return -ENOMEM;
    for (int i = 0; i < n; i++) {
        struct source *s = &m->sources[i];
        io_walk_begin(&s->walk, parts[i].view, parts[i].at, parts[i].len);
        s->bytes = parts[i].bytes;
        if (io_walk_next(&s->walk, UINT64_MAX, &s->run))
            m->heap[m->n++] = s;
    }
    for (int i = m->n / 2; i-- > 0;)
        sink(m, i);
    return 0;
}

static void merge_end(struct merge *m)
{
    free(m->sources);
    free(m->heap);
}

/* The first run of all that are left; `bytes` are in memory. False at the end. */
static bool merge_next(struct merge *m, struct io_run *run, char **bytes)
{
    if (m->n == 0)
        return false;
    struct source *s = *m->heap;
    *run = s->run;
    *bytes = s->bytes;
    s->bytes += s->run.len;
    if (!io_walk_next(&s->walk, UINT64_MAX, &s->run))
        *m->heap = m->heap[--m->n];
    if (m->n > 0)
        sink(m, 0);
    return true;
}

/* Whether runs are long: the first two tell, since a window may cut one off. */
static bool long_runs(const struct adi3_part *parts, int n)
{
    for (int i = 0; i < n; i++) {
        struct io_walk w;
        struct io_run run = { 0, 0 };
        io_walk_begin(&w, parts[i].view, parts[i].at, parts[i].len);
        for (int k = 0; k < 2 && run.len < LONG && w.left; k++)
            (void) io_walk_next(&w, UINT64_MAX, &run);
        if (parts[i].len && run.len < LONG)
            return false;
    }
    return true;
}

/* ---- without copying ------------------------------------------------------------------------- */

struct gather { /* what is to be moved by one call of the kernel */
    const struct adi3_file *file;
    struct iovec *iov;
    bool writes;
    int n, err;
    uint64_t at, end; /* in the file */
};

static void gather_flush(struct gather *g)
{
    if (g->n && !g->err)
        g->err =
            (g->writes ? io_write : io_read)(g->file, (struct os_iov) { g->iov, g->n }, &g->at);
    uint64_t rest = g->err ? 0 : g->end - g->at; /* the file has become shorter */
    for (int i = g->n - 1; rest > 0; rest -= g->iov[i--].iov_len)
        memset(g->iov[i].iov_base, 0, g->iov[i].iov_len);
    g->n = 0;
    g->at = g->end;
}

/* Adds bytes that follow in the file. */
static void gather_add(struct gather *g, char *bytes, uint64_t len)
{
    if (g->n == IOVS)
        gather_flush(g);
    g->iov[g->n++] = (struct iovec) { bytes, (size_t) len };
    g->end += len;
}

/* Runs of two processes may overlap: either is written. */
static void write_runs(struct gather *g, struct merge *m)
{
    struct io_run run;
    char *bytes;

    while (merge_next(m, &run, &bytes)) {
        uint64_t over = run.at < g->end ? g->end - run.at : 0;
        if (over >= run.len)
            continue;
        if (run.at > g->end) {
            gather_flush(g);
            g->at = g->end = run.at;
        }
        gather_add(g, bytes + over, run.len - over);
    }
    gather_flush(g);
}

/* What is between two runs that are near goes to `waste`. False when runs overlap. */
static bool read_runs(struct gather *g, struct merge *m, char *waste)
{
    struct io_run run;
    char *bytes;

    while (merge_next(m, &run, &bytes)) {
        if (run.at < g->end)
            return false;
        if (g->n && run.at - g->end <= WASTE) {
            if (run.at > g->end)
                gather_add(g, waste, run.at - g->end);
        } else {
            gather_flush(g);
            g->at = g->end = run.at;
        }
        gather_add(g, bytes, run.len);
    }
    gather_flush(g);
    return true;
}

/* ---- writing a copy -------------------------------------------------------------------------- */

struct writer {
    const struct adi3_file *file;
    char *buffer;
    uint64_t window;     /* the offset in the file of the buffer */
    uint64_t begin, end; /* what is in it and has not been written */
    int err;
};

static void flush(struct writer *w)
{
    struct iovec v = { w->buffer + (w->begin - w->window), (size_t) (w->end - w->begin) };
    uint64_t at = w->begin;

    if (!w->err && w->begin < w->end)
        w->err = io_write(w->file, (struct os_iov) { &v, 1 }, &at);
}

/* Runs come in the order of the file. Those of two processes may overlap: either is written. */
static void copy_runs(struct writer *w, struct merge *m)
{
    struct io_run run;
    char *bytes;

    while (merge_next(m, &run, &bytes)) {
        if (run.at > w->end) {
            flush(w);
            w->begin = w->end = run.at;
        }
        memcpy(w->buffer + (run.at - w->window), bytes, (size_t) run.len);
        if (run.at + run.len > w->end)
            w->end = run.at + run.len;
    }
    flush(w);
}

static int write_parts(const struct adi3_file *f, const struct adi3_part *parts, int n,
                       char *buffer, uint64_t window)
{
    struct writer w = { .file = f, .buffer = buffer, .window = window };
    struct gather g = { .file = f, .writes = true };
    struct merge m;

    if (long_runs(parts, n))
        g.iov = malloc(IOVS * sizeof *g.iov);
    w.err = merge_begin(&m, parts, n);
    if (!w.err && g.iov)
        write_runs(&g, &m);
    else if (!w.err)
        copy_runs(&w, &m);
    merge_end(&m);
    free(g.iov);
    return w.err ? w.err : g.err;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void pick(const struct adi3_part *p, const char *buffer, uint64_t window)
{
    struct io_walk w;
    struct io_run run;
    char *to = p->bytes;

    io_walk_begin(&w, p->view, p->at, p->len);
    for (; io_walk_next(&w, UINT64_MAX, &run); to += run.len)
        memcpy(to, buffer + (run.at - window), (size_t) run.len);
}

static int read_copy(const struct adi3_file *f, const struct adi3_part *parts, int n, char *buffer,
                     uint64_t window, struct io_run all)
{
    struct iovec v = { buffer + (all.at - window), (size_t) all.len };
    uint64_t at = all.at, end = all.at + all.len;
    int err = io_read(f, (struct os_iov) { &v, 1 }, &at);

    if (!err && at < end) /* the file has become shorter */
        memset(buffer + (at - window), 0, (size_t) (end - at));
    for (int i = 0; i < n && !err; i++)
        pick(&parts[i], buffer, window);
    return err;
}

/* As read_copy(), but only when no runs overlap. */
static int read_gathered(const struct adi3_file *f, const struct adi3_part *parts, int n,
                         char *waste, bool *overlap)
{
    struct gather g = { .file = f, .iov = malloc(IOVS * sizeof *g.iov) };
    struct merge m;
    int err = merge_begin(&m, parts, n);

    if (!err && !g.iov)
        err = -ENOMEM;
    *overlap = !err && !read_runs(&g, &m, waste);
    merge_end(&m);
    free(g.iov);
    return err ? err : g.err;
}

static int read_parts(const struct adi3_file *f, const struct adi3_part *parts, int n, char *buffer,
                      uint64_t window, struct io_run all)
{
    bool overlap = true;
    int err = 0;

    if (long_runs(parts, n))
        err = read_gathered(f, parts, n, buffer, &overlap);
    return overlap && !err ? read_copy(f, parts, n, buffer, window, all) : err;
}

/* ---- under locks, where nodes keep pages ----------------------------------------------------- */

/* From the first byte of all parts to the last. */
static struct io_run bounds(const struct adi3_part *parts, int n)
{
    uint64_t low = UINT64_MAX, high = 0;

    for (int i = 0; i < n; i++)
        if (parts[i].len) {
            uint64_t from = adi3_view_offset(parts[i].view, parts[i].at);
            uint64_t to = adi3_view_offset(parts[i].view, parts[i].at + parts[i].len - 1) + 1;
            low = from < low ? from : low;
            high = to > high ? to : high;
        }
    return (struct io_run) { low, high > low ? high - low : 0 };
}

/* No other process of the call writes these pages, but another open of the file may write what is
 * between the parts. */
int adi3_file_write_parts(const struct adi3_file *f, const struct adi3_part *parts, int n,
                          char *buffer, uint64_t window)
{
    struct io_run all = io_lags(f) ? bounds(parts, n) : (struct io_run) { 0, 0 };
    int err = all.len ? io_lock(f, true, all.at, all.len) : 0;

    if (err)
        return err;
    err = write_parts(f, parts, n, buffer, window);
    if (all.len)
        io_unlock(f, all.at, all.len);
    return err;
}

int adi3_file_read_parts(const struct adi3_file *f, const struct adi3_part *parts, int n,
                         char *buffer, uint64_t window)
{
    struct io_run all = bounds(parts, n);
    bool lags = io_lags(f);

    if (!all.len)
        return 0;
    int err = lags ? io_lock(f, false, all.at, all.len) : 0;
    if (err)
        return err;
    err = read_parts(f, parts, n, buffer, window, all);
    if (lags)
        io_unlock(f, all.at, all.len);
    return err;
}
