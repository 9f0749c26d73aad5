/* words.c — the argument that error handlers get in addition to the standard's two: the failed call
 * with its arguments by name. For errors of the program's own classes it is their text.
 *
 * Only for Starling. */
#include <stdarg.h>
#include "handler.h"

static char words[1024];

static void reader(MPI_Comm *comm, int *code, ...)
{
    va_list args;

    (void) comm;
    va_start(args, code);
    snprintf(words, sizeof words, "%s", va_arg(args, const char *));
    va_end(args);
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;
    int x = 0, code;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(reader, &h);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, h);
    MPI_Send(&x, 1, MPI_INT, 0, -17, MPI_COMM_SELF);
    CHECK(strncmp(words, "MPI_Send(buf=0x", 15) == 0);
    CHECK(strstr(words, "count=1, MPI_INT, dest=0, tag=-17, MPI_COMM_SELF)"));
    MPI_Add_error_code(MPI_ERR_IO, &code);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, code);
    CHECK(strncmp(words, "MPI_Comm_call_errhandler(MPI_COMM_SELF, ", 40) == 0);
    MPI_Errhandler_free(&h);
    MPI_Finalize();
    return 0;
}
