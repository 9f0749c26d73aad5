/* left_alone.c — a process that waits in a collective call, while all others are in MPI_Finalize:
 * it is told so. Only for Starling: with other libraries it waits for ever. */
#include <string.h>
#include <unistd.h>
#include "coll_test.h"

enum { SECONDS = 5 };

static void check_told(int err, const char *words)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    CHECK(err != MPI_SUCCESS);
    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, "MPI_Finalize") != NULL);
    CHECK(strstr(text, words) != NULL);
}

/* The first process or the last, in the first such call or in a later one. */
int main(int argc, char **argv)
{
    int last = argc > 1 && strchr(argv[1], 'l'), later = argc > 1 && strchr(argv[1], 'a');
    int large = argc > 1 && strchr(argv[1], 'b');
    static char bytes[1 << 20];

    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    alarm(4 * SECONDS);
    if (later)
        CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    if (m.size > 1 && m.rank == (last ? m.size - 1 : 0)) {
        double begin = MPI_Wtime();
        if (large)
            check_told(MPI_Bcast(bytes, sizeof bytes, MPI_CHAR, m.size - 1 - m.rank, m.comm),
                       "MPI_Bcast(count=1048576, ");
        else
            check_told(MPI_Barrier(m.comm), "MPI_Barrier()");
        CHECK(MPI_Wtime() - begin < SECONDS);
    }
    MPI_Finalize();
    return 0;
}
