#include "mpi/io/io.h"

/* Sets the individual file pointer: to offset etypes from the beginning of the view
 * (MPI_SEEK_SET), from where it is (MPI_SEEK_CUR), or from the end of the file (MPI_SEEK_END)
 * (§13.4.3).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, also when it would be before the view,
 * MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL, and those of the file. */
int PMPI_File_seek(MPI_File fh, MPI_Offset offset, int whence)
{
    ENTER("MPI_File_seek", fh, offset, whence);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_not_sequential_arg(f));
    TRY(mpir_io_seek(f, offset, whence, f->position, &f->position));
    return mpir_leave(&call);
}
MPIR_WEAK(File_seek);
