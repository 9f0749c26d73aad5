#include "mpi/io/io.h"

/* Returns the size of a file in bytes (§13.2.6).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, and those of the file. */
int PMPI_File_get_size(MPI_File fh, MPI_Offset *size)
{
    ENTER("MPI_File_get_size", fh, size);
    struct adi3_file *f;
    uint64_t bytes;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_out_arg(size, "size"));
    TRY(adi3_file_size(f, &bytes));
    *size = (MPI_Offset) bytes;
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_size);
