/* file_errors.c — what the errors of the system are in MPI (table 13.3). */
#include <errno.h>
#include <string.h>
#include "adi3/base/base.h"
#include "adi3/io/io_impl.h"

static const struct {
    int number, errclass;
} classes[] = {
    { ENOENT, MPI_ERR_NO_SUCH_FILE },
    { ENOTDIR, MPI_ERR_BAD_FILE },
    { EISDIR, MPI_ERR_BAD_FILE },
    { ENAMETOOLONG, MPI_ERR_BAD_FILE },
    { ELOOP, MPI_ERR_BAD_FILE },
    { ENXIO, MPI_ERR_BAD_FILE },
    { EEXIST, MPI_ERR_FILE_EXISTS },
    { EACCES, MPI_ERR_ACCESS },
    { EPERM, MPI_ERR_ACCESS },
    { EBADF, MPI_ERR_ACCESS },
    { EROFS, MPI_ERR_READ_ONLY },
    { ENOSPC, MPI_ERR_NO_SPACE },
    { EFBIG, MPI_ERR_NO_SPACE },
    { EDQUOT, MPI_ERR_QUOTA },
    { ETXTBSY, MPI_ERR_FILE_IN_USE },
    { EBUSY, MPI_ERR_FILE_IN_USE },
    { ENOMEM, MPI_ERR_NO_MEM },
    { ESPIPE, MPI_ERR_UNSUPPORTED_OPERATION },
    { EINVAL, MPI_ERR_UNSUPPORTED_OPERATION },
    { EOPNOTSUPP, MPI_ERR_UNSUPPORTED_OPERATION },
    { ENOSYS, MPI_ERR_UNSUPPORTED_OPERATION },
    { ENOLCK, MPI_ERR_UNSUPPORTED_OPERATION },
};

static int class_of(int number)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].number == number)
            return classes[i].errclass;
    return MPI_ERR_IO;
}

int io_path_error(int err, const char *doing, const char *path)
{
    return err ? adi3_error(class_of(-err), "%s '%s' on %s: %s", doing, path, adi3_hostname(),
                            strerror(-err))
               : MPI_SUCCESS;
}

int io_error(const struct adi3_file *f, int err, const char *doing, uint64_t offset)
{
    if (err == -ENOLCK)
        return adi3_error(class_of(-err), "%s '%s' on %s: the file system (%s) grants no locks",
                          doing, f->path, adi3_hostname(), f->system->name);
    if (offset == UINT64_MAX)
        return io_path_error(err, doing, f->path);
    return adi3_error(class_of(-err), "%s '%s' on %s at byte %llu: %s", doing, f->path,
                      adi3_hostname(), (unsigned long long) offset, strerror(-err));
}
