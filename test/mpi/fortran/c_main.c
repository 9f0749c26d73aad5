/* c_main.c — a C program that the Fortran library is loaded with: sentinels are set before
 * MPI_Init, also those of mpi_f08. */
#include <dlfcn.h>
#include <stdio.h>
#include "mpi.h"

static int failed;

static void check(int good, const char *what)
{
    if (!good) {
        printf("not so: %s\n", what);
        failed = 1;
    }
}

int main(int argc, char **argv)
{
    MPI_Status s;
    MPI_Fint f[5] = { 0, 0, 1, 2, 3 };
    char *priv1 = dlsym(RTLD_DEFAULT, "mpipriv1_"), *priv2 = dlsym(RTLD_DEFAULT, "mpipriv2_");

    check(MPI_F_STATUS_IGNORE && (char *) MPI_F_STATUS_IGNORE == priv1 + 8, "MPI_F_STATUS_IGNORE");
    check(MPI_F_STATUSES_IGNORE && (char *) MPI_F_STATUSES_IGNORE == priv2,
          "MPI_F_STATUSES_IGNORE");
    check(MPI_F08_STATUS_IGNORE
              && MPI_F08_STATUS_IGNORE == dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_STATUS_IGNORE_OBJ"),
          "MPI_F08_STATUS_IGNORE");
    check(MPI_F08_STATUSES_IGNORE
              && MPI_F08_STATUSES_IGNORE == dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ"),
          "MPI_F08_STATUSES_IGNORE");
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Status_f2c(f, &s) == MPI_SUCCESS && s.MPI_TAG == 2, "a status");
    check(MPI_Status_f2c(MPI_F_STATUS_IGNORE, &s) != MPI_SUCCESS, "MPI_F_STATUS_IGNORE is none");
    check(MPI_Status_f082c(MPI_F08_STATUS_IGNORE, &s) != MPI_SUCCESS, "nor that of mpi_f08");
    MPI_Finalize();
    return failed;
}
