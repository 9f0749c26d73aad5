#include <string.h>
#include "mpi/io/io.h"

/* A handle that the program frees, of a derived type; a predefined one has its own. */
static int view_type_handle(struct adi3_type *t, MPI_Datatype *h)
{
    struct adi3_type *copy;

    *h = t->handle;
    if (t->predefined)
        return MPI_SUCCESS;
    int err = adi3_type_dup(t, &copy);
    if (err)
        return err;
    *h = adi3_type_user_acquire(copy); /* with a reference of its own */
    adi3_type_release(copy);
    return MPI_SUCCESS;
}

/* Returns the view of a file (§13.3). The program frees the datatypes that are not predefined.
 * datarep has room for MPI_MAX_DATAREP_STRING characters.
 * Errors: MPI_ERR_FILE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
                       char *datarep)
{
    ENTER("MPI_File_get_view", fh, disp, etype, filetype, datarep);
    struct adi3_file *f;

    TRY(mpir_open_file_arg(&call, fh, &f));
    TRY(mpir_out_arg(disp, "disp"));
    TRY(mpir_out_arg(etype, "etype"));
    TRY(mpir_out_arg(filetype, "filetype"));
    TRY(mpir_out_arg(datarep, "datarep"));
    *disp = (MPI_Offset) f->view.disp;
    TRY(view_type_handle(f->view.etype, etype));
    TRY(view_type_handle(f->view.filetype, filetype));
    const char *name = f->view.rep->name;
    memcpy(datarep, name, strlen(name) + 1);
    return mpir_leave(&call);
}
MPIR_WEAK(File_get_view);
