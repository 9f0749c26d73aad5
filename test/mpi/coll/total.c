/* total.c — the total of all processes where the count of one belongs: the text of the error says
 * so at the root of MPI_Scatter, where it is known. */
#include "mpitest.h"

enum { EACH = 3 };

int main(int argc, char **argv)
{
    int size, rank, all[EACH * 8 * 8] = { 0 }, mine[EACH * 8], len, class;
    char text[MPI_MAX_ERROR_STRING];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int err = MPI_Scatter(all, EACH * size, MPI_INT, mine, EACH, MPI_INT, size - 1, MPI_COMM_WORLD);
    MPI_Error_class(err, &class);
    MPI_Error_string(err, text, &len);
    if (rank == size - 1) {
        CHECK_INT(class, MPI_ERR_TRUNCATE);
        if (!strstr(text, "the total of all processes"))
            fprintf(stderr, "%s\n", text);
        CHECK(strstr(text, "the total of all processes") != NULL);
    } else if (err)
        CHECK(strstr(text, "the total of all processes") || strstr(text, "rank"));
    MPI_Finalize();
    return 0;
}
