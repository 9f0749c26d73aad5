#include <string.h>
#include "errhan.h"

/* Appends what fits; returns the new length. */
static size_t append(char string[MPI_MAX_ERROR_STRING], size_t at, const char *text)
{
    size_t len = strnlen(text, MPI_MAX_ERROR_STRING - 1 - at);

    memcpy(string + at, text, len);
    string[at + len] = '\0';
    return at + len;
}

/* Explains an error code: its class, and the values that were wrong while they are remembered
 * (§8.3.4). string has room for MPI_MAX_ERROR_STRING characters.
 * Errors: MPI_ERR_ARG. */
int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    ENTER("MPI_Error_string", errorcode, string, resultlen);
    const char *values = adi3_error_text(errorcode);
    size_t len;

    TRY(mpir_error_code_arg(errorcode));
    TRY(mpir_out_arg(string, "string"));
    TRY(mpir_out_arg(resultlen, "resultlen"));
    len = append(string, 0, mpir_error_class_text(errorcode));
    if (values) {
        len = append(string, len, ": ");
        len = append(string, len, values);
    }
    *resultlen = (int) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Error_string);
