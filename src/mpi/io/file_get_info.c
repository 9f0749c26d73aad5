#include "mpi/info/info.h"
#include "mpi/io/io.h"

/* Returns a new info object with the hints of a file (§13.2.8): all that are in force, also those
 * that are defaults, and its name. The program frees it.
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_File_get_info(MPI_File fh, MPI_Info *info_used)
{
    ENTER("MPI_File_get_info", fh, info_used);
    struct adi3_file *f;
    struct mpir_info *made;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_out_arg(info_used, "info_used"));
    TRY(mpir_file_hints_info(f, &made));
    *info_used = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_info);
