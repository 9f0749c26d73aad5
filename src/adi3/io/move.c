/* move.c — moves the data of one call between memory and file, as it is.
 *
 * Memory and stream are walked together: a run of the file goes to or comes from ranges of memory
 * in one call of the kernel. Reading takes short runs that are near each other together and copies
 * what is wanted (sieving). Writing never writes what is between them, since another process
 * may. */
#include <errno.h>
#include <stdlib.h>
#include "adi3/base/base.h"
#include "adi3/datatype/datatype.h"
#include "adi3/io/io_impl.h"

enum {
    RUNS = 256, /* at most together */
};
#define MOST ((uint64_t) 1 << 40) /* bytes of a run that are moved at a time */

struct mover {
    struct adi3_access *a;
    struct io_walk file;
    char *buffer;  /* of sieving ... */
    uint64_t room; /* ... and its bytes */
    bool over;     /* the end of the file */
};

static bool has_move_failed(struct mover *m, int err, uint64_t at)
{
    if (err) {
        m->a->error = -err;
        m->a->failed = at;
    }
    return err;
}

/* Moves a run by itself. */
static bool move_run(struct mover *m, struct io_run run)
{
    struct adi3_access *a = m->a;
    struct iovec iov[IO_RANGES];

    while (run.len > 0 && !m->over) {
        size_t at = (size_t) a->moved, some = 0;
        struct os_iov v = { iov, adi3_ranges(&a->data, &at, iov, IO_RANGES) };
        for (int i = 0; i < v.n; i++) {
            if (iov[i].iov_len > run.len - some) {
                iov[i].iov_len = (size_t) run.len - some;
                v.n = i + 1;
            }
            some += iov[i].iov_len;
        }
        uint64_t from = run.at;
        int err = (a->writes ? io_write : io_read)(a->file, v, &run.at);
        a->moved += run.at - from;
        run.len -= run.at - from;
        if (has_move_failed(m, err, run.at))
            return false;
        m->over = run.at - from < some;
    }
    return true;
}

/* Collects runs from *next on that one read takes, since less than a block is between them; returns
 * how many. len: bytes up to the end of the last one. */
static int runs_collect(struct mover *m, struct io_run *runs, struct io_run *next, uint64_t *len)
{
    uint64_t block = m->a->file->block;
    int n = 0;

    while (next->len && n < RUNS && next->at + next->len - (n ? runs->at : next->at) <= m->room) {
        runs[n++] = *next;
        *len = next->at + next->len - runs->at;
        if (!io_walk_next(&m->file, MOST, next))
            next->len = 0;
        else if (next->at - runs->at >= *len + block)
            break;
    }
    return n;
}

/* Reads len bytes and copies what is wanted of them. */
static bool data_sieve_read(struct mover *m, const struct io_run *runs, int n, uint64_t len)
{
    struct adi3_access *a = m->a;
    uint64_t at = runs->at;
    struct iovec iov = { m->buffer, (size_t) len };
    int err = io_read(a->file, (struct os_iov) { &iov, 1 }, &at);

    m->over = at < runs->at + len;
    for (int i = 0; i < n && runs[i].at < at; i++) {
        uint64_t some = at - runs[i].at < runs[i].len ? at - runs[i].at : runs[i].len;
        adi3_unpack(&a->data, (size_t) a->moved, m->buffer + (runs[i].at - runs->at),
                    (size_t) some);
        a->moved += some;
    }
    return !has_move_failed(m, err, at);
}

static void read_sieving(struct mover *m)
{
    struct io_run runs[RUNS], next;
    uint64_t len = 0;

    if (!io_walk_next(&m->file, MOST, &next))
        next.len = 0;
    while (next.len && !m->over) {
        int n = runs_collect(m, runs, &next, &len);
        bool fine = true;
        if (n == 0) {
            fine = move_run(m, next);
            if (!io_walk_next(&m->file, MOST, &next))
                next.len = 0;
        } else if (n == 1)
            fine = move_run(m, *runs);
        else
            fine = data_sieve_read(m, runs, n, len);
        if (!fine)
            return;
    }
}

static void move_plain(struct mover *m)
{
    struct io_run run;

    while (!m->over && io_walk_next(&m->file, MOST, &run))
        if (!move_run(m, run))
            return;
}

/* One range of memory, and of the file. */
static void move_range(struct adi3_access *a, uint64_t len)
{
    uint64_t from = a->file->view.disp + a->at, at = from;
    struct iovec v = { a->data.buf, (size_t) len };
    int err = (a->writes ? io_write : io_read)(a->file, (struct os_iov) { &v, 1 }, &at);

    a->moved = at - from;
    a->error = -err;
    a->failed = at;
}

static void move_runs(struct adi3_access *a, uint64_t len)
{
    const struct adi3_hints *hints = &a->file->hints;
    struct mover m = { .a = a, .room = hints->ind_rd_buffer_size };
    const struct adi3_view *v = &a->file->view;

    io_walk_begin(&m.file, v, a->at, len);
    if (a->writes || v->tiles->contig || hints->ds_read == ADI3_DISABLE
        || !(m.buffer = malloc((size_t) m.room)))
        move_plain(&m);
    else
        read_sieving(&m);
    free(m.buffer);
}

void io_move(struct adi3_access *a)
{
    const struct adi3_type *tiles = a->file->view.tiles;
    uint64_t len = (uint64_t) a->data.count * a->data.type->size;

    if (!len || !tiles->size)
        return;
    if (tiles->contig && a->data.type->contig)
        move_range(a, len);
    else
        move_runs(a, len);
}
