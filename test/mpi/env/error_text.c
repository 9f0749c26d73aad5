/* error_text.c — E03: the class of a class is itself, each code has one, and all have texts that
 * fit. */
#include "../env/starling.h"

static const int classes[] = {
    MPI_SUCCESS,          MPI_ERR_BUFFER,
    MPI_ERR_COUNT,        MPI_ERR_TYPE,
    MPI_ERR_TAG,          MPI_ERR_COMM,
    MPI_ERR_RANK,         MPI_ERR_REQUEST,
    MPI_ERR_ROOT,         MPI_ERR_GROUP,
    MPI_ERR_OP,           MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS,         MPI_ERR_ARG,
    MPI_ERR_UNKNOWN,      MPI_ERR_TRUNCATE,
    MPI_ERR_OTHER,        MPI_ERR_INTERN,
    MPI_ERR_PENDING,      MPI_ERR_IN_STATUS,
    MPI_ERR_ACCESS,       MPI_ERR_AMODE,
    MPI_ERR_ASSERT,       MPI_ERR_BAD_FILE,
    MPI_ERR_BASE,         MPI_ERR_CONVERSION,
    MPI_ERR_DISP,         MPI_ERR_DUP_DATAREP,
    MPI_ERR_FILE_EXISTS,  MPI_ERR_FILE_IN_USE,
    MPI_ERR_FILE,         MPI_ERR_INFO_KEY,
    MPI_ERR_INFO_NOKEY,   MPI_ERR_INFO_VALUE,
    MPI_ERR_INFO,         MPI_ERR_IO,
    MPI_ERR_KEYVAL,       MPI_ERR_LOCKTYPE,
    MPI_ERR_NAME,         MPI_ERR_NO_MEM,
    MPI_ERR_NOT_SAME,     MPI_ERR_NO_SPACE,
    MPI_ERR_NO_SUCH_FILE, MPI_ERR_PORT,
    MPI_ERR_QUOTA,        MPI_ERR_READ_ONLY,
    MPI_ERR_RMA_ATTACH,   MPI_ERR_RMA_CONFLICT,
    MPI_ERR_RMA_RANGE,    MPI_ERR_RMA_SHARED,
    MPI_ERR_RMA_SYNC,     MPI_ERR_RMA_FLAVOR,
    MPI_ERR_SERVICE,      MPI_ERR_SIZE,
    MPI_ERR_SPAWN,        MPI_ERR_UNSUPPORTED_DATAREP,
    MPI_ERR_WIN,          MPI_ERR_UNSUPPORTED_OPERATION,
};
enum { CLASSES = sizeof classes / sizeof *classes };

static void check_text(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int len = -1;

    memset(text, 'x', sizeof text);
    CHECK_INT(MPI_Error_string(code, text, &len), MPI_SUCCESS);
    CHECK(len > 0 && len < MPI_MAX_ERROR_STRING);
    CHECK_INT(strlen(text), len);
}

/* A text begins with the name of its class. */
static void check_begin(int code, const char *begin)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;

    MPI_Error_string(code, text, &len);
    CHECK(!strncmp(text, begin, strlen(begin)));
}

int main(int argc, char **argv)
{
    int class, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(MPI_SUCCESS, 0);
    for (int i = 0; i < CLASSES; i++) {
        CHECK(classes[i] <= MPI_ERR_LASTCODE);
        CHECK_INT(error_class(classes[i]), classes[i]);
        check_text(classes[i]);
        for (int j = 0; j < i; j++)
            CHECK(classes[i] != classes[j]);
    }
    for (int i = 0; i < 200; i++) { /* older than the saved texts */
        static int code[200];

        code[i] = MPI_Send(&x, 1, MPI_INT, -1000 - i, 0, MPI_COMM_WORLD);
        CHECK(code[i] > 0 && code[i] <= MPI_ERR_LASTCODE);
        for (int j = 0; j <= i; j += 7) {
            CHECK_INT(error_class(code[j]), MPI_ERR_RANK);
            check_text(code[j]);
        }
    }
    if (starling()) {
        CHECK_INT(error_class(MPI_ERR_LASTCODE), MPI_ERR_LASTCODE);
        check_text(MPI_ERR_LASTCODE);
        check_begin(MPI_SUCCESS, "MPI_SUCCESS: ");
        check_begin(MPI_ERR_OTHER, "MPI_ERR_OTHER: ");
        check_begin(MPI_Send(&x, 1, MPI_INT, -7, 0, MPI_COMM_WORLD), "MPI_ERR_RANK: ");
        CHECK_INT(error_class(MPI_Error_class(-1, &class)), MPI_ERR_ARG);
        CHECK_INT(error_class(MPI_Error_class(MPI_ERR_RANK, NULL)), MPI_ERR_ARG);
        CHECK_INT(error_class(MPI_Error_string(MPI_ERR_RANK, NULL, &x)), MPI_ERR_ARG);
    }
    MPI_Finalize();
    return 0;
}
