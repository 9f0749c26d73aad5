/* codes_more.c — E04: codes of predefined classes have texts of their own, too, which codes of the
 * library do not get; the program can add any number of classes.
 *
 * MPICH 4.0 fails: its codes of predefined classes are not above MPI_ERR_LASTCODE, it takes any
 * code, and has 126 classes. */
#include "handler.h"

enum { MANY = 1000 };

int main(int argc, char **argv)
{
    char string[MPI_MAX_ERROR_STRING], text[MPI_MAX_ERROR_STRING + 1];
    int code, len, class[MANY];

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(MPI_Add_error_code(MPI_ERR_TRUNCATE, &code), MPI_SUCCESS);
    CHECK(code > MPI_ERR_LASTCODE);
    CHECK_INT(error_class(code), MPI_ERR_TRUNCATE);
    memset(text, 'x', sizeof text);
    text[MPI_MAX_ERROR_STRING] = '\0';
    CHECK_INT(error_class(MPI_Add_error_string(code, text)), MPI_ERR_ARG);
    text[MPI_MAX_ERROR_STRING - 1] = '\0';
    CHECK_INT(MPI_Add_error_string(code, text), MPI_SUCCESS);
    CHECK_INT(MPI_Error_string(code, string, &len), MPI_SUCCESS);
    CHECK_INT(len, MPI_MAX_ERROR_STRING - 1);
    CHECK(strcmp(string, text) == 0);

    CHECK_INT(error_class(MPI_Add_error_string(MPI_SUCCESS, "x")), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Add_error_string(MPI_ERR_LASTCODE, "x")), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Add_error_string(code + (1 << 20), "x")), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Add_error_code(code, &len)), MPI_ERR_ARG); /* it is not a class */
    CHECK_INT(error_class(MPI_Add_error_code(MPI_ERR_LASTCODE, &len)), MPI_ERR_ARG);
    for (int i = 0; i < MANY; i++) {
        CHECK_INT(MPI_Add_error_class(&class[i]), MPI_SUCCESS);
        CHECK(i == 0 || class[i] > class[i - 1]);
    }
    CHECK_INT(error_class(class[0]), class[0]);
    CHECK_INT(error_class(MPI_Error_class(class[MANY - 1] + (1 << 20), &len)), MPI_ERR_ARG);
    MPI_Finalize();
    return 0;
}
