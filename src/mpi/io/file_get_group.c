#include "mpi/io/io.h"

/* Returns the group of the processes that have opened the file together, which the program frees
 * (§13.2.7).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG. */
int PMPI_File_get_group(MPI_File fh, MPI_Group *group)
{
    ENTER("MPI_File_get_group", fh, group);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_out_arg(group, "group"));
    *group = adi3_group_user_acquire(f->comm->group);
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_group);
