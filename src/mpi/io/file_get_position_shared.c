#include "mpi/io/io.h"

/* Returns the shared file pointer, in etypes from the beginning of the view (§13.4.4).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, MPI_ERR_UNSUPPORTED_OPERATION with MPI_MODE_SEQUENTIAL. */
int PMPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset)
{
    ENTER("MPI_File_get_position_shared", fh, offset);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_not_sequential_arg(f));
    TRY(mpir_out_arg(offset, "offset"));
    TRY(mpir_shared_pointer_add(f, 0, offset));
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_position_shared);
