/* transfer.c — reads and writes the data of one call.
 *
 * Memory and stream are walked together: a run of the file goes to or comes from ranges of memory
 * in one call of the kernel. Reading takes short runs that are near each other together and copies
 * what is wanted (sieving). Writing never writes what is between them, since another process
 * may. */
#include <errno.h>
#include <stdlib.h>
#include "base.h"
#include "datatype.h"
#include "io_impl.h"

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

static bool fails(struct mover *m, int err, uint64_t at)
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
        if (fails(m, err, run.at))
            return false;
        m->over = run.at - from < some;
    }
    return true;
}

/* Collects runs from *next on that one read takes, since less than a block is between them; returns
 * how many. len: bytes up to the end of the last one. */
static int collect(struct mover *m, struct io_run *runs, struct io_run *next, uint64_t *len)
{
    uint64_t block = adi3_file_block(m->a->file);
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
static bool sieve(struct mover *m, const struct io_run *runs, int n, uint64_t len)
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
    return !fails(m, err, at);
}

static void read_sieving(struct mover *m)
{
    struct io_run runs[RUNS], next;
    uint64_t len = 0;

    if (!io_walk_next(&m->file, MOST, &next))
        next.len = 0;
    while (next.len && !m->over) {
        int n = collect(m, runs, &next, &len);
        bool fine = true;
        if (n == 0) {
            fine = move_run(m, next);
            if (!io_walk_next(&m->file, MOST, &next))
                next.len = 0;
        } else if (n == 1)
            fine = move_run(m, *runs);
        else
            fine = sieve(m, runs, n, len);
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

/* Moves bytes as they are. */
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

/* ---- whole calls ----------------------------------------------------------------------------- */

static void move_any(struct adi3_access *a)
{
    if (io_converts(a))
        io_move_converted(a);
    else
        io_move(a);
}

/* In atomic mode accesses of processes exclude each other. Where nodes keep what they have read, a
 * lock also lets this one see what others have written, and keeps it from writing more than the
 * bytes of this access. */
static void move_locked(struct adi3_access *a, uint64_t len)
{
    const struct adi3_view *v = &a->file->view;
    uint64_t from = adi3_view_offset(v, a->at), to = adi3_view_offset(v, a->at + len - 1) + 1;
    int err = io_lock(a->file, a->writes, from, to - from);

    if (err) {
        a->error = -err;
        a->failed = from;
        return;
    }
    move_any(a);
    io_unlock(a->file, from, to - from);
}

void adi3_file_move(struct adi3_access *a)
{
    const struct adi3_view *v = &a->file->view;
    uint64_t len = (uint64_t) a->data.count * a->bytes;

    a->moved = 0;
    a->error = a->code = 0;
    if ((a->file->atomic || io_lags(a->file)) && len && v->tiles->size)
        move_locked(a, len);
    else
        move_any(a);
}

/* Whole blocks of the file at one address of a block. Chaos has calls of its own. */
struct os_ring_op io_one_op(const struct adi3_access *a)
{
    const struct adi3_file *f = a->file;
    uint64_t len = (uint64_t) a->data.count * a->data.type->size;
    const struct os_ring_op none = { 0 };
    struct io_walk w;
    struct io_run run;
    struct iovec iov[2];
    size_t at = 0;

    if (!io_ring_setting || !(a->writes ? f->hints.direct_write : f->hints.direct_read)
        || f->direct < 0 || f->system->disturbs || f->atomic || io_lags(f) || io_converts(a) || !len
        || len > 1 << 30 || len % IO_BLOCK || !f->view.tiles->size)
        return none;
    io_walk_begin(&w, &f->view, a->at, len);
    if (!io_walk_next(&w, len, &run) || run.len != len || run.at % IO_BLOCK)
        return none;
    if (adi3_ranges(&a->data, &at, iov, 2) != 1 || iov->iov_len != len
        || (uintptr_t) iov->iov_base % IO_BLOCK)
        return none;
    return (struct os_ring_op) { f->direct, a->writes, iov->iov_base, (uint32_t) len, run.at };
}

int adi3_file_result(const struct adi3_access *a)
{
    if (a->code)
        return adi3_error(MPI_ERR_CONVERSION, "a conversion function of '%s' has returned %d",
                          a->file->view.rep->name, a->code);
    if (!a->error)
        return MPI_SUCCESS;
    return io_error(a->file, -a->error, a->writes ? "writing" : "reading", a->failed);
}
