/* f08.c — 17.2.5: statuses of mpi_f08, to and from those of C and of mpif.h.
 *
 * MPICH 4.0 fails: its C library lacks these functions, and it takes MPI_F_STATUSES_IGNORE for a
 * status. */
#include "../env/starling.h"

int main(int argc, char **argv)
{
    MPI_Status status = { .MPI_SOURCE = 3, .MPI_TAG = 4, .MPI_ERROR = MPI_ERR_IO }, back;
    MPI_F08_status f08, again;
    MPI_Fint f[5];
    int n;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(MPI_Status_set_elements(&status, MPI_INT, 9), MPI_SUCCESS);
    CHECK_INT(MPI_Status_c2f08(&status, &f08), MPI_SUCCESS);
    CHECK(f08.MPI_SOURCE == 3 && f08.MPI_TAG == 4 && f08.MPI_ERROR == MPI_ERR_IO);
    CHECK_INT(MPI_Status_f082f(&f08, f), MPI_SUCCESS);
    CHECK_INT(MPI_Status_f2f08(f, &again), MPI_SUCCESS);
    CHECK_INT(MPI_Status_f082c(&again, &back), MPI_SUCCESS);
    CHECK(back.MPI_SOURCE == 3 && back.MPI_TAG == 4 && back.MPI_ERROR == MPI_ERR_IO);
    CHECK_INT(MPI_Get_count(&back, MPI_INT, &n), MPI_SUCCESS);
    CHECK_INT(n, 9);

    MPI_F08_STATUS_IGNORE = &f08;
    CHECK_INT(error_class(MPI_Status_f082c(&f08, &back)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Status_f082f(&f08, f)), MPI_ERR_ARG);
    CHECK_INT(MPI_Status_f082c(&again, &back), MPI_SUCCESS);
    MPI_F08_STATUS_IGNORE = NULL;
    CHECK_INT(error_class(MPI_Status_c2f08(MPI_STATUS_IGNORE, &f08)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Status_f2f08(NULL, &f08)), MPI_ERR_ARG);
    MPI_F_STATUSES_IGNORE = f;
    CHECK_INT(error_class(MPI_Status_f2c(f, &back)), MPI_ERR_ARG);
    MPI_F_STATUSES_IGNORE = NULL;
    MPI_Finalize();
    return 0;
}
