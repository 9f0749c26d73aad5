#include <stdlib.h>
#include <string.h>
#include "mpi/errhan/errhan.h"

static int own_arg(int code, struct mpir_user_code **own)
{
    *own = mpir_user_code(code);
    if (*own)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "%d is not an error code or class that the program has added",
                      code);
}

static int string_arg(const char *string)
{
    size_t len = strlen(string);

    if (len < MPI_MAX_ERROR_STRING)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "the text has %zu characters, at most %d are possible", len,
                      MPI_MAX_ERROR_STRING - 1);
}

static int set_text(struct mpir_user_code *own, const char *string)
{
    char *copy = strdup(string);

    if (!copy)
        return adi3_no_memory("for a text of %zu characters", strlen(string));
    free(own->text);
    own->text = copy;
    return MPI_SUCCESS;
}

/* Associates a text with an error code or class that the program has added, in place of the one it
 * had (§8.5). The text has less than MPI_MAX_ERROR_STRING characters.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Add_error_string(int errorcode, const char *string)
{
    ENTER("MPI_Add_error_string", errorcode, string);
    struct mpir_user_code *own;

    TRY(own_arg(errorcode, &own));
    TRY(mpir_out_arg(string, "string"));
    TRY(string_arg(string));
    TRY(set_text(own, string));
    return mpir_leave(&call);
}
MPIR_WEAK(Add_error_string);
