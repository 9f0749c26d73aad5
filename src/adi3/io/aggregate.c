/* aggregate.c — an aggregator's work: slices of the streams of several processes go to a window of
 * the file in runs as long as can be, or come from there.
 *
 * Where runs are long the kernel takes them from the slices, or puts them there, one after another
 * in the order of the file. Short ones are copied: a range of memory costs the kernel more than a
 * few bytes cost here (blocks of 64 and 128 bytes took 1.1 to 1.6 times as long without a copy,
 * those of 512 as long, those of 1 KiB 0.8 to 0.9). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/base/base.h"
#include "adi3/datatype/datatype.h"
#include "adi3/io/io_impl.h"

enum {
    LONG = 512,       /* bytes of a run that is not copied */
    IOVS = 1024,      /* ranges of memory in a call of the kernel: its limit */
    WASTE = 16 << 10, /* what is read between two runs, rather than by another call */
};

/* ---- the next run of all, by a heap of sources ----------------------------------------------- */

struct source { /* a slice that is walked through */
    struct io_walk walk;
    struct io_run run;
    char *bytes; /* of the run */
};

struct merge {
    struct source *sources, **heap;
    int n;
};

static void heap_sift_down(struct merge *m, int i)
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

static int merge_begin(struct merge *m, const struct adi3_slice *slices, int n)
{
    m->sources = malloc((size_t) n * sizeof *m->sources);
    m->heap = malloc((size_t) n * sizeof *m->heap);
    m->n = 0;
    if (!m->sources || !m->heap)
        return -ENOMEM;
    for (int i = 0; i < n; i++) {
        struct source *s = &m->sources[i];
        io_walk_begin(&s->walk, slices[i].view, slices[i].at, slices[i].len);
        s->bytes = slices[i].bytes;
        if (io_walk_next(&s->walk, UINT64_MAX, &s->run))
            m->heap[m->n++] = s;
    }
    for (int i = m->n / 2; i-- > 0;)
        heap_sift_down(m, i);
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
        heap_sift_down(m, 0);
    return true;
}

/* Whether runs are long: the first two tell, since a window may cut one off. */
static bool long_runs(const struct adi3_slice *slices, int n)
{
    for (int i = 0; i < n; i++) {
        struct io_walk w;
        struct io_run run = { 0, 0 };
        io_walk_begin(&w, slices[i].view, slices[i].at, slices[i].len);
        for (int k = 0; k < 2 && run.len < LONG && w.left; k++)
            (void) io_walk_next(&w, UINT64_MAX, &run);
        if (slices[i].len && run.len < LONG)
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
    uint64_t failed;  /* where the first error was */
};

static void gather_flush(struct gather *g)
{
    if (g->n && !g->err) {
        g->err =
            (g->writes ? io_write : io_read)(g->file, (struct os_iov) { g->iov, g->n }, &g->at);
        g->failed = g->at;
    }
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

enum { BITS = 64 };

struct copy { /* of a window, and which bytes are in it: a bit for each */
    const struct adi3_file *file;
    char *buffer;
    uint64_t *there, words;
    uint64_t window; /* the offset in the file of the buffer */
    int err;
    uint64_t failed; /* where the error was */
};

static void bitmap_mark(uint64_t *there, uint64_t from, uint64_t to)
{
    uint64_t first = from / BITS, last = to / BITS;
    uint64_t low = UINT64_MAX << from % BITS, high = ((uint64_t) 1 << to % BITS) - 1;

    if (first == last) {
        there[first] |= low & high;
        return;
    }
    there[first] |= low;
    for (uint64_t i = first + 1; i < last; i++)
        there[i] = UINT64_MAX;
    if (high)
        there[last] |= high;
}

/* Runs of two processes may overlap: either is written. */
static void copy_runs(struct copy *c, const struct adi3_slice *slice)
{
    struct io_walk w;
    struct io_run run;
    const char *bytes = slice->bytes;

    io_walk_begin(&w, slice->view, slice->at, slice->len);
    for (; io_walk_next(&w, UINT64_MAX, &run); bytes += run.len) {
        memcpy(c->buffer + (run.at - c->window), bytes, (size_t) run.len);
        bitmap_mark(c->there, run.at - c->window, run.at - c->window + run.len);
    }
}

/* The first byte from `at` on that is there (or is not); the end of all when there is none. */
static uint64_t bitmap_next(const struct copy *c, uint64_t at, bool is_there)
{
    const uint64_t flip = is_there ? 0 : UINT64_MAX;

    if (at / BITS >= c->words)
        return c->words * BITS;
    uint64_t i = at / BITS, word = (c->there[i] ^ flip) & UINT64_MAX << at % BITS;
    while (!word && ++i < c->words)
        word = c->there[i] ^ flip;
    return word ? i * BITS + (uint64_t) __builtin_ctzll(word) : c->words * BITS;
}

static void write_copy(struct copy *c)
{
    for (uint64_t from = 0, to; !c->err; from = to) {
        from = bitmap_next(c, from, true);
        if (from == c->words * BITS)
            return;
        to = bitmap_next(c, from, false);
        struct iovec v = { c->buffer + from, (size_t) (to - from) };
        uint64_t at = c->window + from;
        c->err = io_write(c->file, (struct os_iov) { &v, 1 }, &at);
        c->failed = at;
    }
}

/* c: its file, buffer and window. end: of all slices, in the file. */
static void write_short(struct copy *c, const struct adi3_slice *slices, int n, uint64_t end)
{
    c->words = (end - c->window) / BITS + 1;
    c->there = calloc(c->words, sizeof *c->there);
    if (!c->there) {
        c->err = -ENOMEM;
        return;
    }
    for (int i = 0; i < n; i++)
        copy_runs(c, &slices[i]);
    write_copy(c);
    free(c->there);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_gathered(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                          uint64_t *failed)
{
    struct gather g = { .file = f, .writes = true, .iov = malloc(IOVS * sizeof *g.iov) };
    struct merge m;
    int err = merge_begin(&m, slices, n);

    if (!err && !g.iov)
        err = -ENOMEM;
    if (!err)
        write_runs(&g, &m);
    if (g.err)
        *failed = g.failed;
    merge_end(&m);
    free(g.iov);
    if (!err)
        err = g.err;
    return err;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void window_copy_out(const struct adi3_slice *p, const char *buffer, uint64_t window)
{
    struct io_walk w;
    struct io_run run;
    char *to = p->bytes;

    io_walk_begin(&w, p->view, p->at, p->len);
    for (; io_walk_next(&w, UINT64_MAX, &run); to += run.len)
        memcpy(to, buffer + (run.at - window), (size_t) run.len);
}

static int read_copy(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                     char *buffer, uint64_t window, struct io_run all)
{
    struct iovec v = { buffer + (all.at - window), (size_t) all.len };
    uint64_t at = all.at, end = all.at + all.len;
    int err = io_read(f, (struct os_iov) { &v, 1 }, &at);

    if (!err && at < end) /* the file has become shorter */
        memset(buffer + (at - window), 0, (size_t) (end - at));
    for (int i = 0; i < n && !err; i++)
        window_copy_out(&slices[i], buffer, window);
    return err;
}

/* As read_copy(), but only when no runs overlap. */
static int read_gathered(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                         char *waste, bool *overlap)
{
    struct gather g = { .file = f, .iov = malloc(IOVS * sizeof *g.iov) };
    struct merge m;
    int err = merge_begin(&m, slices, n);

    if (!err && !g.iov)
        err = -ENOMEM;
    *overlap = !err && !read_runs(&g, &m, waste);
    merge_end(&m);
    free(g.iov);
    if (!err)
        err = g.err;
    return err;
}

static int read_slices(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                       char *buffer, uint64_t window, struct io_run all)
{
    bool overlap = true;
    int err = 0;

    if (long_runs(slices, n))
        err = read_gathered(f, slices, n, buffer, &overlap);
    if (!err && overlap)
        err = read_copy(f, slices, n, buffer, window, all);
    return err;
}

/* ---- under locks, where nodes keep pages ----------------------------------------------------- */

/* From the first byte of all slices to the last. */
static struct io_run file_bounds_find(const struct adi3_slice *slices, int n)
{
    uint64_t low = UINT64_MAX, high = 0;

    for (int i = 0; i < n; i++)
        if (slices[i].len) {
            uint64_t from = adi3_view_offset(slices[i].view, slices[i].at);
            uint64_t to = adi3_view_offset(slices[i].view, slices[i].at + slices[i].len - 1) + 1;
            low = from < low ? from : low;
            high = to > high ? to : high;
        }
    return (struct io_run) { low, high > low ? high - low : 0 };
}

/* No other process of the call writes these pages, but another open of the file may write what is
 * between the slices. */
int adi3_file_write_slices(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                           char *buffer, uint64_t window, uint64_t *failed)
{
    struct copy c = { .file = f, .buffer = buffer, .window = window, .failed = window };
    struct io_run all = file_bounds_find(slices, n);
    int err = all.len && io_lags(f) ? io_lock(f, true, all.at, all.len) : 0;

    *failed = window;
    if (err || !all.len)
        return err;
    if (long_runs(slices, n)) {
        err = write_gathered(f, slices, n, failed);
    } else {
        write_short(&c, slices, n, all.at + all.len);
        err = c.err;
        *failed = c.failed;
    }
    if (io_lags(f))
        io_unlock(f, all.at, all.len);
    return err;
}

int adi3_file_read_slices(const struct adi3_file *f, const struct adi3_slice *slices, int n,
                          char *buffer, uint64_t window, uint64_t *failed)
{
    struct io_run all = file_bounds_find(slices, n);
    bool lags = io_lags(f);

    *failed = window;
    if (!all.len)
        return 0;
    int err = lags ? io_lock(f, false, all.at, all.len) : 0;
    if (err)
        return err;
    err = read_slices(f, slices, n, buffer, window, all);
    if (lags)
        io_unlock(f, all.at, all.len);
    return err;
}
