/* status.c — 17.2.5: statuses convert to Fortran and back with all their fields; the constants that
 * stand for no status are refused. */
#include "mpitest.h"

enum { FORTRAN = 5 }; /* MPI_STATUS_SIZE */

static void check(const MPI_Status *a, int source, int count, int cancelled)
{
    int n = -1, flag = -1;

    CHECK_INT(a->MPI_SOURCE, source);
    CHECK_INT(a->MPI_TAG, 17);
    CHECK_INT(a->MPI_ERROR, MPI_ERR_IO);
    CHECK_INT(MPI_Get_count(a, MPI_INT, &n), MPI_SUCCESS);
    CHECK_INT(n, count);
    CHECK_INT(MPI_Test_cancelled(a, &flag), MPI_SUCCESS);
    CHECK_INT(flag, cancelled);
}

static void there_and_back(MPI_Status *status, int source, int count, int cancelled)
{
    MPI_Fint f[FORTRAN + 1] = { [FORTRAN] = 4711 };
    MPI_Status back;

    status->MPI_ERROR = MPI_ERR_IO;
    memset(&back, 0xa5, sizeof back);
    CHECK_INT(MPI_Status_c2f(status, f), MPI_SUCCESS);
    CHECK_INT(f[FORTRAN], 4711);
    CHECK_INT(MPI_Status_f2c(f, &back), MPI_SUCCESS);
    check(&back, source, count, cancelled);
}

int main(int argc, char **argv)
{
    MPI_Fint f[FORTRAN];
    int in[3], out[3] = { 1, 2, 3 }, rank;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(out, 3, MPI_INT, rank, 17, in, 3, MPI_INT, rank, 17, MPI_COMM_WORLD, &status);
    there_and_back(&status, rank, 3, 0);
    MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count) 1 << 40);
    there_and_back(&status, rank, MPI_UNDEFINED, 0);
    MPI_Status_set_elements(&status, MPI_INT, 5);
    MPI_Status_set_cancelled(&status, 1);
    there_and_back(&status, rank, 5, 1);

    CHECK(MPI_Status_c2f(MPI_STATUS_IGNORE, f) != MPI_SUCCESS);
    MPI_F_STATUS_IGNORE = f; /* as MPI_Init of a Fortran program does */
    CHECK(MPI_Status_f2c(f, &status) != MPI_SUCCESS);
    MPI_F_STATUS_IGNORE = NULL;
    CHECK_INT(MPI_Status_f2c(f, &status), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
