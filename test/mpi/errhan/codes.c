/* codes.c — E04: classes and codes of the program: their values, class and text, the attribute
 * MPI_LASTUSEDCODE; handlers that are called with them. */
#include "handler.h"

enum { CLASSES = 5, CODES = 20 };

static int last_used(void)
{
    int *value = NULL, flag = 0;

    CHECK_INT(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag), MPI_SUCCESS);
    CHECK(flag && value);
    return *value;
}

static void check_text(int code, const char *text)
{
    char string[MPI_MAX_ERROR_STRING];
    int len = -1;

    memset(string, 'x', sizeof string);
    CHECK_INT(MPI_Error_string(code, string, &len), MPI_SUCCESS);
    CHECK_INT(len, strlen(text));
    CHECK(strcmp(string, text) == 0);
}

static void add_code(int class, int number)
{
    char text[64];
    int code = 0;

    CHECK_INT(MPI_Add_error_code(class, &code), MPI_SUCCESS);
    CHECK(code > MPI_ERR_LASTCODE && code != class);
    CHECK_INT(error_class(code), class);
    check_text(code, "");
    snprintf(text, sizeof text, "code %d of %d", number, class);
    CHECK_INT(MPI_Add_error_string(code, text), MPI_SUCCESS);
    check_text(code, text);
    CHECK_INT(MPI_Comm_call_errhandler(MPI_COMM_SELF, code), MPI_SUCCESS);
    handler_check(MPI_COMM_SELF, class);
}

int main(int argc, char **argv)
{
    int class[CLASSES];
    MPI_Errhandler h;

    MPI_Init(&argc, &argv);
    h = handler_make();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, h);
    CHECK(last_used() >= MPI_ERR_LASTCODE);
    for (int i = 0; i < CLASSES; i++) {
        int before = last_used();

        CHECK_INT(MPI_Add_error_class(&class[i]), MPI_SUCCESS);
        CHECK(class[i] > MPI_ERR_LASTCODE && class[i] > before);
        CHECK(last_used() >= class[i]);
        CHECK_INT(error_class(class[i]), class[i]);
        check_text(class[i], "");
        for (int j = 0; j < CODES; j++)
            add_code(class[i], j);
        CHECK_INT(MPI_Add_error_string(class[i], "a class"), MPI_SUCCESS);
        CHECK_INT(MPI_Add_error_string(class[i], "another text"), MPI_SUCCESS);
    }
    for (int i = 0; i < CLASSES; i++) {
        CHECK_INT(error_class(class[i]), class[i]);
        check_text(class[i], "another text");
        for (int j = 0; j < i; j++)
            CHECK(class[i] != class[j]);
    }
    /* All processes add the same classes and codes, and get the same numbers. */
    int all[CLASSES];
    MPI_Allreduce(class, all, CLASSES, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < CLASSES; i++)
        CHECK_INT(class[i], all[i]);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_INT(MPI_Comm_call_errhandler(MPI_COMM_SELF, class[0]), MPI_SUCCESS);
    CHECK_INT(handler_calls(), 0);
    MPI_Errhandler_free(&h);
    MPI_Finalize();
    return 0;
}
