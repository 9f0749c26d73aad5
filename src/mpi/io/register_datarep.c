#include <string.h>
#include "mpi/core/hooks.h"
#include "mpi/errhan/errhan.h"
#include "mpi/io/io.h"

static int name_arg(const char *name)
{
    if (!name)
        return mpir_null("datarep");
    if (!*name || strnlen(name, MPI_MAX_DATAREP_STRING) == MPI_MAX_DATAREP_STRING)
        return mpir_error(MPI_ERR_ARG, "datarep has %s",
                          *name ? "more than 127 characters" : "none");
    return MPI_SUCCESS;
}

/* Adds a data representation of the program, for MPI_File_set_view (§13.5.3). The conversion
 * functions turn elements into their form in the file and back; MPI_CONVERSION_FN_NULL changes
 * nothing. dtype_file_extent_fn sets the extent that a predefined datatype has in the file. They
 * are called by calls that read or write, by those that start to as well, and get extra_state. A
 * representation stays until MPI_Finalize.
 * Errors: MPI_ERR_ARG, MPI_ERR_DUP_DATAREP, MPI_ERR_NO_MEM. */
int PMPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                          MPI_Datarep_conversion_function *write_conversion_fn,
                          MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
    ENTER("MPI_Register_datarep", datarep, read_conversion_fn, write_conversion_fn,
          dtype_file_extent_fn, extra_state);
    const struct adi3_datarep rep = { .name = datarep,
                                      .language = &adi3_c,
                                      .extent = dtype_file_extent_fn,
                                      .read = read_conversion_fn,
                                      .write = write_conversion_fn,
                                      .extra = extra_state };

    call.comm = &mpir_no_file;
    TRY(name_arg(datarep));
    TRY(mpir_out_arg((const void *) (uintptr_t) dtype_file_extent_fn, "dtype_file_extent_fn"));
    TRY(adi3_datarep_add(&rep));
    return mpir_leave(&call);
}
MPIR_WEAK(Register_datarep);

int MPIR_Datarep_set_language(const char *name, const struct adi3_language *row)
{
    struct mpir_call call = mpir_enter(__func__);
    int err = adi3_datarep_set_language(name, row)
                  ? MPI_SUCCESS
                  : mpir_error(MPI_ERR_ARG, "'%s' is no representation of the program", name);

    (void) mpir_leave(&call);
    return err;
}
