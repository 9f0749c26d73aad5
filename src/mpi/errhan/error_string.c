#include <string.h>
#include "mpi/errhan/errhan.h"

/* Appends what fits; returns the new length. */
static size_t error_string_append(char string[MPI_MAX_ERROR_STRING], size_t at, const char *text)
{
    size_t len = strnlen(text, MPI_MAX_ERROR_STRING - 1 - at);

    memcpy(string + at, text, len);
    string[at + len] = '\0';
    return at + len;
}

/* A code of the library: the name of its class, the text of its class, the wrong values. */
static size_t error_code_explain(int code, char string[MPI_MAX_ERROR_STRING])
{
    const char *values = adi3_error_text(code);

    if (code == MPI_ERR_LASTCODE)
        return error_string_append(string, 0, "last error code");
    size_t len = error_string_append(string, 0, adi3_class_name(code & ADI3_CLASS_MASK));
    len = error_string_append(string, len, ": ");
    len = error_string_append(string, len, adi3_class_text(code & ADI3_CLASS_MASK));
    if (!values)
        return len;
    len = error_string_append(string, len, ": ");
    return error_string_append(string, len, values);
}

/* Returns the text of an error code (§8.3.4). It has the name of its class, what the class means,
 * and the wrong values as long as the library remembers them. An error code or class that the
 * program has added has the text of MPI_Add_error_string, or an empty one (§8.5). string has room
 * for MPI_MAX_ERROR_STRING characters.
 * Errors: MPI_ERR_ARG. */
int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    ENTER("MPI_Error_string", errorcode, string, resultlen);
    const struct mpir_user_code *own;

    TRY(mpir_error_code_arg(errorcode));
    TRY(mpir_out_arg(string, "string"));
    TRY(mpir_out_arg(resultlen, "resultlen"));
    own = mpir_user_code(errorcode);
    if (own)
        *resultlen = (int) error_string_append(string, 0, own->text ? own->text : "");
    else
        *resultlen = (int) error_code_explain(errorcode, string);
    return mpir_leave(&call);
}
MPIR_WEAK(Error_string);
