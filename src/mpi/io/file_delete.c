#include "mpi/errhan/errhan.h"
#include "mpi/info/info.h"
#include "mpi/io/io.h"

/* Deletes a file (§13.2.3). A name may begin with the name of a file system, "ufs:", "nfs:" or
 * "lustre:".
 * Errors: of the handler of MPI_FILE_NULL: MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_NO_SUCH_FILE,
 * MPI_ERR_ACCESS, MPI_ERR_BAD_FILE, and others of the system. */
int PMPI_File_delete(const char *filename, MPI_Info info)
{
    ENTER("MPI_File_delete", filename, info);
    struct mpir_info *i;

    call.comm = &mpir_no_file;
    TRY(mpir_path_arg(filename));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(adi3_file_delete(filename));
    return mpir_leave(&call);
}
MPIR_WEAK(File_delete);
