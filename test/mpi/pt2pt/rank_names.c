/* rank_names.c — the text of a wrong rank names the constant that it is. */
#include "mpitest.h"

static void says(int err, int wanted, const char *part)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, class;

    MPI_Error_class(err, &class);
    CHECK_INT(class, wanted);
    MPI_Error_string(err, text, &len);
    if (!strstr(text, part))
        fprintf(stderr, "'%s' does not say '%s'\n", text, part);
    CHECK(strstr(text, part) != NULL);
}

int main(int argc, char **argv)
{
    int x = 1;
    MPI_Win w;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    says(MPI_Send(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK,
         "dest -2 (MPI_ANY_SOURCE) is outside 0..");
    says(MPI_Send(&x, 1, MPI_INT, MPI_ROOT, 0, MPI_COMM_WORLD), MPI_ERR_RANK,
         "dest -3 (MPI_ROOT) is outside 0..");
    says(MPI_Recv(&x, 1, MPI_INT, -7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK,
         "source -7 is outside 0..");
    says(MPI_Bcast(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD), MPI_ERR_ROOT,
         "root -1 (MPI_PROC_NULL) is outside 0..");
    MPI_Win_create(&x, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
    says(MPI_Win_lock(MPI_LOCK_SHARED, MPI_ANY_SOURCE, 0, w), MPI_ERR_RANK,
         "rank -2 (MPI_ANY_SOURCE) is outside 0..");
    MPI_Win_free(&w);
    MPI_Finalize();
    return 0;
}
