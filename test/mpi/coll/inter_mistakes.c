/* inter_mistakes.c — two groups that make different collective calls: an error shows both, at least
 * in one process, and nobody is left waiting. Only for Starling. */
#include <unistd.h>
#include "coll_test.h"

static MPI_Comm between(int tag)
{
    struct me m = whoami(MPI_COMM_WORLD);
    MPI_Comm half, inter;
    int first = m.size / 2;

    MPI_Comm_split(MPI_COMM_WORLD, m.rank < first, m.rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, m.rank < first ? first : 0, tag, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm_free(&half);
    return inter;
}

static int told(int err, const char *theirs)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (err == MPI_SUCCESS)
        return 0;
    CHECK(!MPI_Error_string(err, text, &len));
    CHECK(strstr(text, "MPI_Allreduce(op=MPI_SUM)") && strstr(text, theirs));
    return 1;
}

static void try(int i, int odd_one, const char *theirs)
{
    MPI_Comm c = between(i);
    int one = 1, sum, all, said, err;

    CHECK(!MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
    if (odd_one && i % 2)
        err = MPI_Barrier(c);
    else
        err = MPI_Allreduce(&one, &sum, 1, MPI_INT, odd_one ? MPI_MAX : MPI_SUM, c);
    said = told(err, theirs);
    MPI_Barrier(MPI_COMM_WORLD);
    said += told(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c), theirs);
    MPI_Allreduce(&said, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all > 0);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    alarm(60);
    for (int i = 0; i < 4; i++)
        try(i, m.rank == (i < 2 ? m.size - 1 : 0),
            i % 2 ? "MPI_Barrier()" : "MPI_Allreduce(op=MPI_MAX)");
    MPI_Finalize();
    return 0;
}
