#include "mpi/io/io.h"

/* Returns the extent that a datatype has in the file, in the data representation of the view
 * (§13.5).
 * Errors: MPI_ERR_FILE, MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent)
{
    ENTER("MPI_File_get_type_extent", fh, datatype, extent);
    struct adi3_file *f;
    struct adi3_type *t;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_type_arg(datatype, &t));
    TRY(mpir_out_arg(extent, "extent"));
    TRY(adi3_view_extent(&f->view, t, extent));
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_type_extent);
