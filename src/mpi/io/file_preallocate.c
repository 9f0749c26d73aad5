#include "mpi/io/io.h"

/* The first process does it, before any returns. */
static int file_space_preallocate(const struct adi3_file *f, MPI_Offset size)
{
    int err = mpir_io_compare(f->comm, mpir_new_size_arg(f, size), size, "size");

    if (err)
        return err;
    if (f->comm->rank == 0)
        err = adi3_file_allocate(f, (uint64_t) size);
    return mpir_io_consensus(f->comm, err, "change the size of the file");
}

/* Reserves storage for the first size bytes of a file (§13.2.5). A file that is shorter grows;
 * one that is longer stays as it is. File pointers do not change. size is the same in all
 * processes. Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_ERR_READ_ONLY,
 * MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL, MPI_ERR_NOT_SAME, MPI_ERR_NO_SPACE,
 * MPI_ERR_QUOTA, and others of the file. */
int PMPI_File_preallocate(MPI_File fh, MPI_Offset size)
{
    ENTER("MPI_File_preallocate", fh, size);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(file_space_preallocate(f, size));
    return mpir_leave(&call);
}
MPIR_WEAK(File_preallocate);
