/* parts.c — an aggregator's work: bytes of streams of several processes go to a window of the file
 * in pieces as long as can be, or come from there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base.h"
#include "datatype.h"
#include "io_impl.h"

struct source { /* a part that is walked through */
    struct io_walk walk;
    struct io_run run;
    const char *bytes; /* of the run */
};

/* ---- the next run of all, by a heap of sources ----------------------------------------------- */

static void sink(struct source **heap, int n, int i)
{
    struct source *s = heap[i];

    for (int child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && heap[child + 1]->run.at < heap[child]->run.at;
        if (s->run.at <= heap[child]->run.at)
            break;
        heap[i] = heap[child];
    }
    heap[i] = s;
}

static int fill(struct source *sources, struct source **heap, const struct adi3_part *parts, int n)
{
    int used = 0;

    for (int i = 0; i < n; i++) {
        struct source *s = &sources[used];
        io_walk_begin(&s->walk, parts[i].view, parts[i].at, parts[i].len);
        s->bytes = parts[i].bytes;
        if (io_walk_next(&s->walk, UINT64_MAX, &s->run))
            heap[used++] = s;
    }
    for (int i = used / 2; i-- > 0;)
        sink(heap, used, i);
    return used;
}

/* ---- writing --------------------------------------------------------------------------------- */

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
static void add(struct writer *w, const struct source *s)
{
    if (s->run.at > w->end) {
        flush(w);
        w->begin = w->end = s->run.at;
    }
    memcpy(w->buffer + (s->run.at - w->window), s->bytes, (size_t) s->run.len);
    if (s->run.at + s->run.len > w->end)
        w->end = s->run.at + s->run.len;
}

static int write_parts(const struct adi3_file *f, const struct adi3_part *parts, int n,
                       char *buffer, uint64_t window)
{
    struct source *sources = malloc((size_t) n * sizeof *sources);
    struct source **heap = malloc((size_t) n * sizeof *heap);
    struct writer w = { .file = f, .buffer = buffer, .window = window };

    if (sources && heap) {
        n = fill(sources, heap, parts, n);
        while (n > 0) {
            struct source *s = *heap;
            add(&w, s);
            s->bytes += s->run.len;
            if (!io_walk_next(&s->walk, UINT64_MAX, &s->run))
                *heap = heap[--n];
            if (n > 0)
                sink(heap, n, 0);
        }
        flush(&w);
    } else
        w.err = -ENOMEM;
    free(sources);
    free(heap);
    return w.err;
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

static int read_parts(const struct adi3_file *f, const struct adi3_part *parts, int n, char *buffer,
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
