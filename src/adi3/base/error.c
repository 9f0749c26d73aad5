/* error.c — error codes and their texts.
 *
 *   29 .. 7          | 6 .. 0
 *   number of a text | class       number 0: the class alone
 *
 * The last SAVED texts are saved. An older code still has its class, and the class has a text. */
#include <stdio.h>
#include <string.h>
#include "adi3/base/base.h"
#include "platform/os.h"

enum { SAVED = 64, NUMBERS = 1 << 23, SHIFT = 7, TEXT = 400 };

static struct {
    int code;
    char text[TEXT];
} saved[SAVED];
static unsigned last;

static int error_code_make(int errclass, const char *fmt, va_list args)
{
    unsigned number = last = last % (NUMBERS - 1) + 1;
    char text[TEXT]; /* a copy: an argument may be the saved text that is overwritten */

    vsnprintf(text, TEXT, fmt, args);
    memcpy(saved[number % SAVED].text, text, strlen(text) + 1);
    return saved[number % SAVED].code = (int) (number << SHIFT) | errclass;
}

int adi3_error(int errclass, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int code = error_code_make(errclass, fmt, args);
    va_end(args);
    return code;
}

int adi3_no_memory(const char *what, ...)
{
    char text[TEXT];
    va_list args;

    va_start(args, what);
    vsnprintf(text, TEXT, what, args);
    va_end(args);
    return adi3_error(MPI_ERR_NO_MEM, "no memory %s", text);
}

const char *adi3_error_text(int code)
{
    unsigned number = (unsigned) code >> SHIFT;

    return number && saved[number % SAVED].code == code ? saved[number % SAVED].text : NULL;
}

#define CLASS(name, text) [name] = { #name, text }

static const struct {
    const char *name, *text;
} class[] = {
    CLASS(MPI_SUCCESS, "no error"),
    CLASS(MPI_ERR_BUFFER, "invalid buffer"),
    CLASS(MPI_ERR_COUNT, "invalid count"),
    CLASS(MPI_ERR_TYPE, "invalid datatype"),
    CLASS(MPI_ERR_TAG, "invalid tag"),
    CLASS(MPI_ERR_COMM, "invalid communicator"),
    CLASS(MPI_ERR_RANK, "invalid rank"),
    CLASS(MPI_ERR_REQUEST, "invalid request"),
    CLASS(MPI_ERR_ROOT, "invalid root"),
    CLASS(MPI_ERR_GROUP, "invalid group"),
    CLASS(MPI_ERR_OP, "invalid operation, or one that does not take this datatype"),
    CLASS(MPI_ERR_TOPOLOGY, "invalid topology"),
    CLASS(MPI_ERR_DIMS, "invalid dimension"),
    CLASS(MPI_ERR_ARG, "invalid argument"),
    CLASS(MPI_ERR_UNKNOWN, "unknown error"),
    CLASS(MPI_ERR_TRUNCATE, "message longer than the receive buffer"),
    CLASS(MPI_ERR_OTHER, "an error that no other class describes"),
    CLASS(MPI_ERR_INTERN, "internal error of the library"),
    CLASS(MPI_ERR_PENDING, "neither failed nor complete"),
    CLASS(MPI_ERR_IN_STATUS, "see the MPI_ERROR field of each status"),
    CLASS(MPI_ERR_ACCESS, "permission denied"),
    CLASS(MPI_ERR_AMODE, "invalid access mode of a file"),
    CLASS(MPI_ERR_ASSERT, "invalid assertion"),
    CLASS(MPI_ERR_BAD_FILE, "invalid file name"),
    CLASS(MPI_ERR_BASE, "invalid base of a window"),
    CLASS(MPI_ERR_CONVERSION, "error in a data conversion function"),
    CLASS(MPI_ERR_DISP, "invalid displacement"),
    CLASS(MPI_ERR_DUP_DATAREP, "data representation already defined"),
    CLASS(MPI_ERR_FILE_EXISTS, "file exists"),
    CLASS(MPI_ERR_FILE_IN_USE, "file is in use"),
    CLASS(MPI_ERR_FILE, "invalid file handle"),
    CLASS(MPI_ERR_INFO_KEY, "invalid info key"),
    CLASS(MPI_ERR_INFO_NOKEY, "no such info key"),
    CLASS(MPI_ERR_INFO_VALUE, "invalid info value"),
    CLASS(MPI_ERR_INFO, "invalid info object"),
    CLASS(MPI_ERR_IO, "input/output error"),
    CLASS(MPI_ERR_KEYVAL, "invalid attribute key"),
    CLASS(MPI_ERR_LOCKTYPE, "invalid lock type"),
    CLASS(MPI_ERR_NAME, "name is not published"),
    CLASS(MPI_ERR_NO_MEM, "out of memory"),
    CLASS(MPI_ERR_NOT_SAME, "arguments differ between processes"),
    CLASS(MPI_ERR_NO_SPACE, "no space left"),
    CLASS(MPI_ERR_NO_SUCH_FILE, "no such file"),
    CLASS(MPI_ERR_PORT, "invalid port name"),
    CLASS(MPI_ERR_QUOTA, "quota exceeded"),
    CLASS(MPI_ERR_READ_ONLY, "read-only file or file system"),
    CLASS(MPI_ERR_RMA_ATTACH, "memory cannot be attached"),
    CLASS(MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window"),
    CLASS(MPI_ERR_RMA_RANGE, "outside the target's window"),
    CLASS(MPI_ERR_RMA_SHARED, "memory cannot be shared"),
    CLASS(MPI_ERR_RMA_SYNC, "wrong synchronization of a window"),
    CLASS(MPI_ERR_RMA_FLAVOR, "wrong flavor of window"),
    CLASS(MPI_ERR_SERVICE, "invalid service name"),
    CLASS(MPI_ERR_SIZE, "invalid size"),
    CLASS(MPI_ERR_SPAWN, "processes could not be spawned"),
    CLASS(MPI_ERR_UNSUPPORTED_DATAREP, "unsupported data representation"),
    CLASS(MPI_ERR_UNSUPPORTED_OPERATION, "unsupported operation"),
    CLASS(MPI_ERR_WIN, "invalid window"),
};

static bool is_errclass_known(int errclass)
{
    return errclass >= 0 && errclass < (int) (sizeof class / sizeof *class);
}

const char *adi3_class_text(int errclass)
{
    return is_errclass_known(errclass) ? class[errclass].text : NULL;
}
const char *adi3_class_name(int errclass)
{
    return is_errclass_known(errclass) ? class[errclass].name : NULL;
}
