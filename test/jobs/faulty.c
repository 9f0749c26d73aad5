/* faulty.c — what a process sees of the end of another job.
 *
 * faulty kill: the last process, alone in its job, ends itself by SIGKILL. The others get an error
 * that names it, in a receive from it and in a collective call, and go on without it.
 *
 * faulty abort: it calls MPI_Abort with code 7.
 *
 * faulty early: it is in MPI_Finalize at once. The others, three processes in all, receive from any
 * process two seconds later: until then none has ended. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "mpitest.h"

static void expect_error(const char *what, int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (err == MPI_SUCCESS)
        printf("%s succeeded\n", what);
    CHECK(err != MPI_SUCCESS);
    MPI_Error_string(err, text, &len);
    printf("%s\n", text);
}

static void survive(int last, MPI_Comm local)
{
    int word = 1, sum = 0;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect_error("MPI_Recv",
                 MPI_Recv(&word, 1, MPI_INT, last, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    expect_error("MPI_Allreduce", MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, local), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, size, word = 3;
    MPI_Comm local;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool last = rank == size - 1;
    MPI_Comm_split(MPI_COMM_WORLD, last, rank, &local);
    if (!strcmp(how, "early")) {
        if (rank == 1 && !last) /* longer than it takes to notice the end of a process */
            sleep(2);
        if (rank == 1 && !last)
            MPI_Send(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (last) {
        if (!strcmp(how, "kill"))
            raise(SIGKILL);
        MPI_Abort(MPI_COMM_WORLD, 7);
    } else if (!strcmp(how, "kill")) {
        survive(size - 1, local);
    } else {
        MPI_Recv(&word, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
