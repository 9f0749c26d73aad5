/* transfer.c — reads and writes the data of one call: with locks and conversions, where they are
 * needed. */
#include "adi3/base/base.h"
#include "adi3/datatype/datatype.h"
#include "adi3/io/io_impl.h"

static void move_any(struct adi3_access *a)
{
    if (io_converts(a))
        io_move_converted(a);
    else
        io_move(a);
}

/* In atomic mode accesses of processes exclude each other. On file systems where nodes cache data,
 * the lock also shows this node the writes of other nodes, and limits a write to the bytes of the
 * access. */
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
