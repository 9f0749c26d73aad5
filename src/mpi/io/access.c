/* access.c — calls that read and write, in their forms.
 *
 * What all have in common is here: which place of the stream a call means, and that its file
 * pointer moves before it returns. */
#include <string.h>
#include "mpi/io/io.h"
#include "mpi/request/request.h"

/* ---- arguments ------------------------------------------------------------------------------- */

static int mode_arg(const struct adi3_file *f, const struct mpir_io *x)
{
    int err = MPI_SUCCESS;

    if (x->writes)
        err = mpir_writable_file_arg(f);
    else if (f->amode & MPI_MODE_WRONLY)
        err = mpir_error(MPI_ERR_ACCESS, "'%s' is open with MPI_MODE_WRONLY", f->path);
    if (!err && x->pointer < MPIR_SHARED)
        err = mpir_not_sequential_arg(f);
    return err;
}

/* Data in memory, and how many etypes it is. */
static int data_arg(const struct mpir_io *x, struct adi3_access *a, MPI_Offset *etypes)
{
    const struct adi3_view *v = &a->file->view;

    if (x->count < 0)
        return mpir_error(MPI_ERR_COUNT, "count is %lld", (long long) x->count);
    int err = mpir_data_arg(x->buf, x->count, x->type, &a->data);
    if (!err)
        err = adi3_view_bytes(v, a->data.type, &a->bytes);
    if (err)
        return err;
    uint64_t len = (uint64_t) a->data.count * a->bytes;
    *etypes = v->unit ? (MPI_Offset) (len / v->unit) : 0;
    if (v->unit && len % v->unit)
        return mpir_error(
            MPI_ERR_IO,
            "count %lld of this datatype is %llu bytes in the file, which is no multiple "
            "of the etype's %zu",
            (long long) x->count, (unsigned long long) len, v->unit);
    return MPI_SUCCESS;
}

static int access_arguments(struct mpir_call *call, const struct mpir_io *x, struct adi3_access *a,
                            MPI_Offset *etypes)
{
    int err = mpir_open_file_arg(call, x->fh, &a->file);

    a->writes = x->writes;
    if (!err)
        err = mode_arg(a->file, x);
    if (!err)
        err = data_arg(x, a, etypes);
    if (!err && x->pointer == MPIR_AT)
        err = mpir_file_offset_arg(a->file, x->offset);
    return err;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Where tiles of the filetype would overlap, a view has a single one. */
static int tile_arg(const struct adi3_access *a)
{
    const struct adi3_view *v = &a->file->view;
    uint64_t len = (uint64_t) a->data.count * a->bytes;

    return adi3_view_holds(v, a->at, len)
               ? MPI_SUCCESS
               : mpir_error(MPI_ERR_UNSUPPORTED_OPERATION,
                            "%llu bytes at byte %llu of the view are more than one filetype of %zu "
                            "bytes, whose extent is less than what is in it",
                            (unsigned long long) len, (unsigned long long) a->at, v->tiles->size);
}

/* Where the call begins; its file pointer is behind it from then on. err: the call has failed
 * here. */
static int find_place(const struct mpir_io *x, struct adi3_access *a, MPI_Offset etypes, int err)
{
    struct adi3_file *f = a->file;
    MPI_Offset at = x->offset;

    if (err && x->pointer != MPIR_ORDERED)
        return err;
    switch (x->pointer) {
    case MPIR_AT:
        break;
    case MPIR_OWN:
        at = f->position;
        f->position += etypes;
        break;
    case MPIR_SHARED:
        err = mpir_shared_pointer_add(f, etypes, &at);
        break;
    case MPIR_ORDERED:
        err = mpir_shared_pointer_take_turn(f, err, etypes, &at);
        break;
    }
    if (err)
        return err;
    a->at = (uint64_t) at * f->view.unit;
    return tile_arg(a);
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* After a short read, or a call that has failed, the pointer is where the data ended. */
static void step_back(const struct mpir_io *x, const struct adi3_access *a, MPI_Offset etypes)
{
    size_t size = a->file->view.etype->size;

    if (x->pointer == MPIR_OWN && size)
        a->file->position -= etypes - (MPI_Offset) (a->moved / size);
}

/* In a collective call a process with wrong arguments takes part as well: all fail. */
int mpir_io_run(struct mpir_call *call, const struct mpir_io *x, MPI_Status *status)
{
    struct adi3_access a = { .file = NULL };
    MPI_Offset etypes = 0;
    int err = access_arguments(call, x, &a, &etypes);

    if (!err)
        err = mpir_out_arg(status, "status");
    if (!err && x->all)
        err = mpir_no_split_arg(a.file);
    if (err && !(x->all && a.file))
        return err;
    int failed = find_place(x, &a, etypes, err);
    if (x->all)
        failed = mpir_io_collective(call->name, &a, failed, NULL);
    else if (!failed) {
        mpir_io_move(&a);
        failed = adi3_file_result(&a);
    }
    if (err)
        return failed;
    step_back(x, &a, etypes);
    adi3_file_status(status, a.moved);
    return failed;
}

static int start_alone(const struct adi3_access *a, MPI_Request *request)
{
    struct adi3_access copy = *a;

    if (!a->file->view.rep->extent)
        return adi3_file_start(a, request);
    mpir_io_move(&copy); /* functions of the program are called in its own threads only */
    return adi3_file_done(&copy, request);
}

int mpir_io_start(struct mpir_call *call, const struct mpir_io *x, MPI_Request *request)
{
    struct adi3_access a = { .file = NULL };
    MPI_Offset etypes = 0;
    int err = access_arguments(call, x, &a, &etypes);

    if (!err)
        err = mpir_out_arg(request, "request");
    if (!err && x->all)
        err = mpir_no_split_arg(a.file);
    if (err && !(x->all && a.file))
        return err;
    err = find_place(x, &a, etypes, err);
    if (x->all)
        return mpir_io_collective(call->name, &a, err, request);
    if (!err)
        return start_alone(&a, request);
    step_back(x, &a, etypes);
    return err;
}

int mpir_io_begin(struct mpir_call *call, const struct mpir_io *x)
{
    MPI_Request request;
    int err = mpir_io_start(call, x, &request);
    struct adi3_file *f = adi3_file_get(x->fh);

    if (err)
        return err;
    f->split = request;
    f->split_by = call->name;
    f->split_buf = x->buf;
    return MPI_SUCCESS;
}

int mpir_io_end(struct mpir_call *call, MPI_File fh, const void *buf, const char *by,
                MPI_Status *status)
{
    struct adi3_file *f;
    int err = mpir_open_file_arg(call, fh, &f);

    if (!err)
        err = mpir_out_arg(status, "status");
    if (err)
        return err;
    if (f->split == MPI_REQUEST_NULL || strcmp(f->split_by, by) != 0)
        return mpir_error(MPI_ERR_REQUEST, "%s has not been called on '%s'%s%s", by, f->path,
                          f->split == MPI_REQUEST_NULL ? "" : ", but ",
                          f->split == MPI_REQUEST_NULL ? "" : f->split_by);
    if (buf != f->split_buf)
        return mpir_error(MPI_ERR_BUFFER, "buf is %p, that of %s was %p", buf, by, f->split_buf);
    struct adi3_request *r = adi3_request_get(f->split);
    f->split = MPI_REQUEST_NULL;
    adi3_wait_done(r);
    return adi3_request_finish(r, status);
}
