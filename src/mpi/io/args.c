/* args.c — the arguments of functions on files. */
#include "mpi/errhan/errhan.h"
#include "mpi/io/io.h"

int mpir_open_file_arg(struct mpir_call *call, MPI_File fh, struct adi3_file **f)
{
    *f = adi3_file_get(fh);
    call->comm = *f ? (*f)->comm : &mpir_no_file;
    if (*f)
        return MPI_SUCCESS;
    if (fh == MPI_FILE_NULL)
        return mpir_error(MPI_ERR_FILE, "fh is MPI_FILE_NULL");
    return mpir_error(MPI_ERR_FILE, "%p is not a file, or one that was closed", (void *) fh);
}

int mpir_path_arg(const char *filename)
{
    if (!filename)
        return mpir_null("filename");
    if (!*filename)
        return mpir_error(MPI_ERR_BAD_FILE, "filename is empty");
    return MPI_SUCCESS;
}

int mpir_idle_file_arg(const struct adi3_file *f)
{
    int err = mpir_no_split_arg(f);
    if (err)
        return err;
    if (f->under_way)
        adi3_file_wait_freed(f);
    if (f->under_way)
        return mpir_error(MPI_ERR_REQUEST, "%u requests on '%s' are under way", f->under_way,
                          f->path);
    return MPI_SUCCESS;
}

int mpir_no_split_arg(const struct adi3_file *f)
{
    return f->split == MPI_REQUEST_NULL
               ? MPI_SUCCESS
               : mpir_error(MPI_ERR_REQUEST, "%s has not been ended on '%s'", f->split_by, f->path);
}

int mpir_writable_file_arg(const struct adi3_file *f)
{
    return f->amode & MPI_MODE_RDONLY
               ? mpir_error(MPI_ERR_READ_ONLY, "'%s' is open with MPI_MODE_RDONLY", f->path)
               : MPI_SUCCESS;
}

int mpir_not_sequential_arg(const struct adi3_file *f)
{
    return f->amode & MPI_MODE_SEQUENTIAL
               ? mpir_error(MPI_ERR_UNSUPPORTED_OPERATION,
                            "'%s' is open with MPI_MODE_SEQUENTIAL: only the shared file pointer "
                            "can be used, and not be set",
                            f->path)
               : MPI_SUCCESS;
}

int mpir_file_offset_arg(const struct adi3_file *f, MPI_Offset offset)
{
    const struct adi3_view *v = &f->view;

    if (offset < 0)
        return mpir_error(MPI_ERR_ARG, "offset is %lld", (long long) offset);
    if (v->unit && offset > INT64_MAX / (MPI_Offset) v->unit)
        return mpir_error(MPI_ERR_ARG, "offset %lld of etypes of %zu bytes is beyond 2^63",
                          (long long) offset, v->unit);
    return MPI_SUCCESS;
}

int mpir_new_size_arg(const struct adi3_file *f, MPI_Offset size)
{
    if (size < 0)
        return mpir_error(MPI_ERR_ARG, "size is %lld", (long long) size);
    int err = mpir_idle_file_arg(f);
    if (!err)
        err = mpir_writable_file_arg(f);
    if (!err)
        err = mpir_not_sequential_arg(f);
    return err;
}
