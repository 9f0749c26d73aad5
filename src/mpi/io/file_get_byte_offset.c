#include "mpi/io/io.h"

/* Returns where in the file, in bytes, an offset of the view is, in etypes (§13.4.3).
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG. */
int PMPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp)
{
    ENTER("MPI_File_get_byte_offset", fh, offset, disp);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_file_offset_arg(f, offset));
    TRY(mpir_out_arg(disp, "disp"));
    *disp = (MPI_Offset) adi3_view_offset(&f->view, (uint64_t) offset * f->view.unit);
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_byte_offset);
