#include "mpi/io/io.h"

/* The first process does it. */
static int shared_pointer_seek(const struct adi3_file *f, MPI_Offset offset, int whence)
{
    MPI_Offset now, to;

    int err = mpir_shared_pointer_add(f, 0, &now);
    if (!err)
        err = mpir_io_seek(f, offset, whence, now, &to);
    if (!err)
        err = mpir_shared_pointer_set(f, to);
    return err;
}

static int seek_shared(const struct adi3_file *f, MPI_Offset offset, int whence)
{
    int err = mpir_not_sequential_arg(f);

    if (!err)
        err = mpir_no_split_arg(f);
    err = mpir_io_compare(f->comm, err, offset, "offset");
    if (!err)
        err = mpir_io_compare(f->comm, MPI_SUCCESS, whence, "whence");
    if (err)
        return err;
    if (f->comm->rank == 0)
        err = shared_pointer_seek(f, offset, whence);
    return mpir_io_consensus(f->comm, err, "set the shared file pointer");
}

/* Sets the shared file pointer, as MPI_File_seek (§13.4.4). All processes give the same
 * arguments. Collective.
 * Errors: as MPI_File_seek, and MPI_ERR_NOT_SAME. */
int PMPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence)
{
    ENTER("MPI_File_seek_shared", fh, offset, whence);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(seek_shared(f, offset, whence));
    return mpir_leave(&call);
}
MPIR_WEAK(File_seek_shared);
