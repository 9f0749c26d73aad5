#include "info/info.h"
#include "io.h"

/* Sets hints of a file (§13.2.8). Hints that are not known are ignored. Collective.
 * Errors: MPI_ERR_FILE, MPI_ERR_INFO, MPI_ERR_NO_MEM. */
int PMPI_File_set_info(MPI_File fh, MPI_Info info)
{
    ENTER("MPI_File_set_info", fh, info);
    struct adi3_file *f;
    struct mpir_info *i;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_info_arg(info, &i));
    TRY(mpir_file_hints_set(f, i));
    return mpir_leave(&call);
}
MPIR_WEAK(File_set_info);
